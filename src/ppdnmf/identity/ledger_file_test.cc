#include <ppdnmf/identity/ledger_file.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <ppdnmf/privacy/ledger.h>

namespace ppdnmf::identity {
namespace {

using ::testing::HasSubstr;

class LedgerFile : public ::testing::Test {
 protected:
  // A file for each process: ctest runs several of these tests at the same time.
  LedgerFile()
      : path_(std::filesystem::path(::testing::TempDir()) / ("test" + std::to_string(::getpid()) + ".ledger")) {
    std::ofstream(path_) << "data ward epsilon 8 delta 1e-6\n";
  }
  ~LedgerFile() override { std::filesystem::remove(path_); }
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path path_;
};

TEST_F(LedgerFile, ADebitIsThereForTheNextRun) {
  ASSERT_TRUE(check_ledger(path_, "ward", "a1", 0.5));
  EXPECT_EQ(privacy::Ledger::parse(text())->spent("ward"), 0);
  ASSERT_TRUE(debit_ledger(path_, "ward", "a1", 0.5));
  ASSERT_TRUE(debit_ledger(path_, "ward", "a1", 0.5));
  EXPECT_EQ(privacy::Ledger::parse(text())->spent("ward"), 0.5);
  const std::string before = text();
  EXPECT_FALSE(check_ledger(path_, "ward", "b2", 0.6));
  const Status refused = debit_ledger(path_, "ward", "b2", 0.6);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(path_.string()));
  EXPECT_EQ(text(), before);
}

TEST_F(LedgerFile, RunsThatBeginTogetherAreAllDebited) {
  constexpr int kRuns = 16;
  std::vector<std::thread> threads;
  for (int n = 0; n < kRuns; ++n) {
    threads.emplace_back([&, n] { EXPECT_TRUE(debit_ledger(path_, "ward", "run" + std::to_string(n), 0x1p-10)); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(privacy::Ledger::parse(text())->spent("ward"), kRuns * 0x1p-10);
}

TEST_F(LedgerFile, AMissingOrDamagedLedgerIsRefused) {
  const Status missing = debit_ledger(path_.string() + ".none", "ward", "a1", 0.1);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kFile);
  std::ofstream(path_) << "data ward epsilon 8\n";
  const Status damaged = debit_ledger(path_, "ward", "a1", 0.1);
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("line 1"));
}

}  // namespace
}  // namespace ppdnmf::identity
