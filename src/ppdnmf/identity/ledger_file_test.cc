#include <ppdnmf/identity/ledger_file.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/privacy/ledger.h>

namespace ppdnmf::identity {
namespace {

using ::testing::HasSubstr;

class LedgerFile : public ::testing::Test {
 public:
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;
  LedgerFile(LedgerFile&&) = delete;
  LedgerFile& operator=(LedgerFile&&) = delete;
  // A file for each process: ctest runs several of these tests at the same time.
  LedgerFile()
      : path_(std::filesystem::path(::testing::TempDir()) / ("test" + std::to_string(::getpid()) + ".ledger")) {
    std::ofstream(path_) << "data ward epsilon 8 delta 1e-6\n";
  }
  ~LedgerFile() override {
    for (const char* more : {"", ".columns", ".lock"}) std::filesystem::remove(path_.string() + more);
  }

 protected:
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] LedgerColumns some(Index first, Index count) {
    part_ = Z_.middleCols(first, count);
    return {data::view(part_)};
  }
  std::filesystem::path path_;
  Matrix Z_ = (Matrix::Random(4, 40).array() + 2).matrix();
  Matrix part_;
  LedgerColumns columns_{data::view(Z_)};
};

TEST_F(LedgerFile, ADebitIsThereForTheNextRun) {
  ASSERT_TRUE(check_ledger(path_, "ward", "a1", 0.5, columns_));
  EXPECT_EQ(privacy::Ledger::parse(text())->spent("ward"), 0);
  ASSERT_TRUE(debit_ledger(path_, "ward", "a1", 0.5, columns_));
  ASSERT_TRUE(debit_ledger(path_, "ward", "a1", 0.5, columns_));
  EXPECT_EQ(privacy::Ledger::parse(text())->spent("ward"), 0.5);
  const std::string before = text();
  EXPECT_FALSE(check_ledger(path_, "ward", "b2", 0.9, columns_));
  const Status refused = debit_ledger(path_, "ward", "b2", 0.9, columns_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(path_.string()));
  EXPECT_EQ(text(), before);
}

TEST_F(LedgerFile, RunsThatBeginTogetherAreAllDebited) {
  constexpr int kRuns = 16;
  std::vector<std::thread> threads;
  threads.reserve(kRuns);
  for (int n = 0; n < kRuns; ++n) {
    threads.emplace_back(
        [&, n] { EXPECT_TRUE(debit_ledger(path_, "ward", "run" + std::to_string(n), 0x1p-10, columns_)); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(privacy::Ledger::parse(text())->spent("ward"), kRuns * 0x1p-10);
}

TEST_F(LedgerFile, AMissingOrDamagedLedgerIsRefused) {
  const Status missing = debit_ledger(path_.string() + ".none", "ward", "a1", 0.1, columns_);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kFile);
  std::ofstream(path_) << "data ward epsilon 8\n";
  const Status damaged = debit_ledger(path_, "ward", "a1", 0.1, columns_);
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("line 1"));
}

TEST_F(LedgerFile, TheSameColumnsUnderASecondNameAreNoticed) {
  std::ofstream(path_, std::ios::app) << "data other epsilon 8 delta 1e-6\n";
  ASSERT_TRUE(debit_ledger(path_, "ward", "a1", 0.7, some(0, 20)));
  const Status refused = check_ledger(path_, "other", "b2", 0.7, some(19, 20));
  ASSERT_FALSE(refused) << "one of twenty columns was in a run";
  EXPECT_THAT(refused.error().message, HasSubstr("under whatever name"));
  EXPECT_TRUE(debit_ledger(path_, "other", "b2", 0.7, some(20, 20)));
  // Under the first name, too, columns that were in no run have their whole budget.
  EXPECT_FALSE(check_ledger(path_, "ward", "c3", 0.7, some(0, 1)));
  Z_ *= 2;
  EXPECT_TRUE(debit_ledger(path_, "ward", "c3", 0.7, some(0, 20)));
}

TEST_F(LedgerFile, RowsInAnotherOrderAreTheSameColumns) {
  const privacy::ColumnKey key{};
  const Matrix turned = Z_.colwise().reverse();
  const auto named = column_digests(key, {data::view(Z_), {"a", "b", "c", "d"}});
  EXPECT_EQ(column_digests(key, {data::view(turned), {"d", "c", "b", "a"}}), named);
  EXPECT_NE(column_digests(key, {data::view(turned)}), column_digests(key, {data::view(Z_)}));
  Z_.col(3).setZero();
  EXPECT_EQ(column_digests(key, {data::view(Z_)}).size(), 39U);
  EXPECT_EQ(column_digests(key, {data::view(Z_), {}, std::vector<std::string>(40, "p")}).size(), 79U);
}

// What was in runs of an earlier version, which knew no columns, counts for every column of that name.
TEST_F(LedgerFile, RunsOfBeforeCountForAllColumnsOfTheirName) {
  std::ofstream(path_, std::ios::app) << "spent ward x9 rho 0.8\n";
  EXPECT_FALSE(check_ledger(path_, "ward", "a1", 0.5, columns_));
  ASSERT_TRUE(debit_ledger(path_, "ward", "a1", 0.2, some(0, 10)));
  EXPECT_FALSE(check_ledger(path_, "ward", "b2", 0.4, some(0, 10)));
  EXPECT_TRUE(check_ledger(path_, "ward", "b2", 0.2, some(10, 10)));
}

TEST_F(LedgerFile, AProcessKilledBetweenTheTwoFilesDebitsOnce) {
  const std::string before = text();
  ASSERT_TRUE(debit_ledger(path_, "ward", "a1", 0.6, columns_));
  std::ofstream(path_) << before;
  ASSERT_TRUE(check_ledger(path_, "ward", "a1", 0.6, columns_));
  ASSERT_TRUE(debit_ledger(path_, "ward", "a1", 0.6, columns_));
  EXPECT_THAT(text(), HasSubstr("spent ward a1 rho 0.6"));
  EXPECT_TRUE(debit_ledger(path_, "ward", "b2", 0.4, columns_));
  EXPECT_FALSE(debit_ledger(path_, "ward", "c3", 0.3, columns_));
}

TEST_F(LedgerFile, WhatItKnowsOfColumnsIsForTheOwnerAloneAndNotForgottenWhenDamaged) {
  EXPECT_EQ(*known_columns(path_, columns_), 0U);
  ASSERT_TRUE(debit_ledger(path_, "ward", "a1", 0.1, some(0, 7)));
  EXPECT_EQ(*known_columns(path_, columns_), 7U);
  const std::filesystem::path file = path_.string() + ".columns";
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::ofstream(file) << "nothing";
  EXPECT_FALSE(known_columns(path_, columns_));
  EXPECT_THAT(debit_ledger(path_, "ward", "b2", 0.1, some(20, 5)).error().message, HasSubstr("is damaged"));
}

}  // namespace
}  // namespace ppdnmf::identity
