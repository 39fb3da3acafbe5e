#include <ppdnmf/logbook/logbook.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include <ppdnmf/logbook/test_logs.h>

namespace ppdnmf::logbook {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LogFile : public Logs {
 protected:
  void put(const std::string& who, const std::string& content) const {
    std::ofstream(path(who), std::ios::binary | std::ios::trunc) << content;
  }
  Result<Logbook> open_again(const std::string& who) const {
    return Logbook::open(folder_ / who, subject(who), identity::kTestTime);
  }
};

TEST_F(LogFile, IsForItsOwnerAloneAndReadsBack) {
  one_sum(0);
  sign_all();
  struct stat about {};
  ASSERT_EQ(::stat(path("b").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
  const Reading reading = read_log(text("b"), "b.log");
  EXPECT_THAT(reading.problems, IsEmpty());
  ASSERT_TRUE(reading.log);
  EXPECT_EQ(reading.log->self, "b");
  EXPECT_EQ(reading.log->sent.size(), 3U);
  EXPECT_EQ(reading.log->received.size(), 3U);
  EXPECT_EQ(reading.log->signed_lines, reading.log->lines);
}

// In a log of one member, since every identity in it takes time to read.
TEST_F(LogFile, OneByteChangedAnywhereIsFound) {
  Subject alone = subject("b");
  alone.members = {alone.self};
  std::filesystem::create_directory(folder_ / "alone");
  auto book = Logbook::open(folder_ / "alone", alone, identity::kTestTime);
  ASSERT_TRUE(book);
  const Entry opened = Entry(kOpened).with("totals", std::int64_t{1}).with("digest", hex(digest(1)));
  ASSERT_TRUE(book->append({&opened, 1}, identity::kTestTime));
  ASSERT_TRUE(book->sign(identities_.at("b"), identity::kTestTime));
  const std::string whole = text("alone");
  ASSERT_THAT(read_log(whole, "b.log").problems, IsEmpty());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ (i % 2 == 0 ? 1 : 32));
    ASSERT_FALSE(read_log(changed, "b.log").problems.empty()) << "byte " << i;
    if (i % 3 == 0) {
      ASSERT_FALSE(read_log(whole.substr(0, i), "b.log").problems.empty()) << "cut after " << i;
    }
  }
  EXPECT_FALSE(read_log(whole + "\n", "b.log").problems.empty());
  EXPECT_FALSE(read_log(whole + whole, "b.log").problems.empty());
}

// Whoever writes the chain anew cannot sign it.
TEST_F(LogFile, AChainThatIsWrittenAnewLacksTheSignature) {
  sign_all();
  std::filesystem::remove(path("b"));
  auto book = open_again("b");
  ASSERT_TRUE(book);
  ASSERT_TRUE(book->sign(identities_.at("c"), identity::kTestTime));
  EXPECT_THAT(read_log(text("b"), "b.log").problems.front(), HasSubstr("the signature is not b's"));
}

TEST_F(LogFile, LinesInAnotherOrderAreFound) {
  one_sum(0);
  sign_all();
  std::string swapped = text("b");
  const std::size_t second = swapped.find('\n') + 1, third = swapped.find('\n', second) + 1;
  const std::size_t fourth = swapped.find('\n', third) + 1;
  swapped = swapped.substr(0, second) + swapped.substr(third, fourth - third) + swapped.substr(second, third - second) +
            swapped.substr(fourth);
  EXPECT_THAT(read_log(swapped, "b.log").problems.front(), HasSubstr("line 2: does not follow"));
}

TEST_F(LogFile, GoesOnWhereAnotherProcessWasKilled) {
  const std::string before = text("b");
  auto book = open_again("b");
  ASSERT_TRUE(book) << book.error().message;
  EXPECT_THAT(book->notes(), IsEmpty());
  ASSERT_TRUE(book->sign(identities_.at("b"), identity::kTestTime));
  EXPECT_THAT(text("b"), ::testing::StartsWith(before));
  EXPECT_THAT(read_log(text("b"), "b.log").problems, IsEmpty());
}

TEST_F(LogFile, ATornLineIsMendedAndSaid) {
  const std::string before = text("b");
  for (const std::string& torn : {std::string("4711"), before.substr(0, 100), std::string(200, '\0') + "\n"}) {
    put("b", before + torn);
    auto book = open_again("b");
    ASSERT_TRUE(book) << book.error().message;
    ASSERT_EQ(book->notes().size(), 1U);
    EXPECT_THAT(book->notes().front(), HasSubstr(fmt::format("torn: its {} bytes", torn.size())));
    ASSERT_TRUE(book->sign(identities_.at("b"), identity::kTestTime));
    const std::string after = text("b");
    EXPECT_THAT(after, ::testing::StartsWith(before));
    EXPECT_THAT(after, HasSubstr(fmt::format(R"("what":"mended","bytes":{})", torn.size())));
    EXPECT_THAT(read_log(after, "b.log").problems, IsEmpty());
  }
}

TEST_F(LogFile, AChangeInTheMiddleIsNotWrittenOn) {
  std::string changed = text("b");
  changed[changed.size() / 2] ^= 1;
  put("b", changed);
  const auto book = open_again("b");
  ASSERT_FALSE(book);
  EXPECT_EQ(book.error().code, ErrorCode::kFile);
  EXPECT_THAT(book.error().message, HasSubstr("it was changed"));
  EXPECT_EQ(text("b"), changed) << "and it stays as it is";
}

TEST_F(LogFile, AnotherRunsLogIsMovedAside) {
  const std::string before = text("b");
  auto book = Logbook::open(folder_ / "b", subject("b", Digest{8}), identity::kTestTime);
  ASSERT_TRUE(book) << book.error().message;
  ASSERT_EQ(book->notes().size(), 1U);
  std::size_t kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "b")) {
    if (entry.path().filename() == kFileName) continue;
    kept += io::file_text(entry.path()) == before ? 1U : 0U;
  }
  EXPECT_EQ(kept, 1U);
  EXPECT_THAT(text("b"), HasSubstr(hex(Digest{8})));
}

// A limit on the size of files stands for the full disk: the first bytes of a line still fit.
TEST_F(LogFile, ADiskThatIsFullLeavesWholeLinesAndTheSameCallWorksLater) {
  auto book = open_again("b");
  ASSERT_TRUE(book);
  const std::string before = text("b");
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{before.size() + 10, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  const Entry entry(kBegan);
  const auto refused = book->append({&entry, 1}, identity::kTestTime);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  (void)std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kFile);
  EXPECT_EQ(text("b"), before);
  ASSERT_TRUE(book->append({&entry, 1}, identity::kTestTime));
  ASSERT_TRUE(book->sign(identities_.at("b"), identity::kTestTime));
  EXPECT_THAT(read_log(text("b"), "b.log").problems, IsEmpty());
}

}  // namespace
}  // namespace ppdnmf::logbook
