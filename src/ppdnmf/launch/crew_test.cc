#include <ppdnmf/launch/crew.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <ppdnmf/launch/test_crew.h>

namespace ppdnmf::launch {
namespace {

using ::testing::HasSubstr;

std::vector<Crew::News> all_news(Crew& crew) {
  std::vector<Crew::News> out;
  while (!crew.all_ended()) {
    auto news = crew.wait(kSoon);
    PPDNMF_CHECK(news.has_value());
    out.insert(out.end(), news->begin(), news->end());
  }
  return out;
}

TEST(Crew, HearsEveryLineOfEverybody) {
  Crew crew = fake_crew({{"report", "200"}, {"report", "3", "sleep", "100", "report", "1"}, {}});
  std::vector<int> counts(3);
  for (const Crew::News& one : all_news(crew)) ++counts[one.child];
  EXPECT_THAT(counts, testing::ElementsAre(200, 4, 0));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(crew.exit_code(i), 0);
}

TEST(Crew, KnowsHowAChildEndedAndItsLastWords) {
  Crew crew = fake_crew({{"say", "first", "say", "ppdnmf: Z.npy: has \a no rows", "exit", "3"}, {"wait"}});
  while (!crew.exit_code(0)) ASSERT_TRUE(crew.wait(kSoon));
  EXPECT_EQ(crew.exit_code(0), 3);
  EXPECT_EQ(crew.last_words(0), "Z.npy: has ? no rows");
  EXPECT_EQ(crew.exit_code(1), std::nullopt);
  EXPECT_FALSE(crew.all_ended());
}

TEST(Crew, IsAskedToEndAndThenKilled) {
  Crew crew = fake_crew({{"wait"}, {"ignore", "report", "1", "sleep", "100000"}});
  // Not before the second has said that it does not listen.
  for (std::size_t heard = 0; heard == 0;) heard = crew.wait(kSoon).value().size();
  const auto before = std::chrono::steady_clock::now();
  crew.end(std::chrono::milliseconds(300));
  const auto took = std::chrono::steady_clock::now() - before;
  EXPECT_GE(took, std::chrono::milliseconds(300));
  EXPECT_LT(took, std::chrono::seconds(20));
  EXPECT_EQ(crew.exit_code(0), 128 + SIGINT);
  EXPECT_EQ(crew.exit_code(1), 128 + SIGKILL);
}

TEST(Crew, NobodyIsLeftWhenItGoes) {
  pid_t group = 0;
  {
    Crew crew = fake_crew({{"ignore", "report", "1", "sleep", "100000"}});
    ASSERT_TRUE(crew.wait(kSoon));
    group = ::getpgrp();
  }
  EXPECT_EQ(::getpgrp(), group) << "a child's group is its own";
  int status = 0;
  EXPECT_EQ(::waitpid(-1, &status, WNOHANG), -1) << "no child is left to wait for";
}

TEST(Crew, NonsenseIsAnErrorWithAName) {
  for (const std::string& line : {std::string("hello"), std::string("{}"), std::string(100'000, 'x')}) {
    Crew crew = fake_crew({{"wait"}, {"line", line, "wait"}});
    Result<std::vector<Crew::News>> news;
    while ((news = crew.wait(kSoon)) && news->empty()) {
    }
    ASSERT_FALSE(news);
    EXPECT_EQ(news.error().code, ErrorCode::kInternal);
    EXPECT_THAT(news.error().message, HasSubstr("agent-1: "));
  }
}

TEST(Crew, AProgramThatIsNotThereCannotBeStarted) {
  const auto crew = Crew::start({{"agent-0", {"/nowhere/ppdnmf"}}});
  ASSERT_FALSE(crew);
  EXPECT_EQ(crew.error().code, ErrorCode::kFile);
  EXPECT_THAT(crew.error().message, HasSubstr("/nowhere/ppdnmf cannot be started"));
}

TEST(FailureOf, PrefersWhoFailedByItselfToWhoWasTold) {
  Crew crew =
      fake_crew({{"say", "agent-1 gave up", "exit", "6"}, {"say", "ppdnmf: the disk is full", "exit", "4"}, {}});
  (void)all_news(crew);
  const Error error = failure_of(crew);
  EXPECT_EQ(error.code, ErrorCode::kFile);
  EXPECT_EQ(error.message, "agent-1: the disk is full");
}

TEST(FailureOf, NamesASignal) {
  Crew crew = fake_crew({{"wait"}});
  crew.end(std::chrono::milliseconds(5000));
  EXPECT_EQ(failure_of(crew).message, "agent-0: was ended by signal 2");
  Crew silent = fake_crew({{"exit", "1"}});
  (void)all_news(silent);
  EXPECT_EQ(failure_of(silent).message, "agent-0: ended with exit code 1 and said nothing");
}

}  // namespace
}  // namespace ppdnmf::launch
