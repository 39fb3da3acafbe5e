#include <ppdnmf/launch/watch.h>

#include <ppdnmf/launch/test_crew.h>

namespace ppdnmf::launch {
namespace {

struct Heard {
  int lines = 0;
  Watcher watcher{[this](std::size_t, const site::ProgressLine&) { ++lines; }, [] { return false; },
                  std::chrono::milliseconds(5000)};
};

TEST(Watch, EndsWhenEverybodyHasEndedWell) {
  Crew crew = fake_crew({{"report", "5"}, {"sleep", "200", "report", "7"}});
  Heard heard;
  EXPECT_EQ(watch(crew, heard.watcher), true);
  EXPECT_EQ(heard.lines, 12);
}

TEST(Watch, OneFailureEndsAllAndIsNamed) {
  Crew crew = fake_crew({{"wait"}, {"report", "2", "say", "ppdnmf: numbers out of range", "exit", "5"}, {"wait"}});
  const auto done = watch(crew, Heard().watcher);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kNumeric);
  EXPECT_EQ(done.error().message, "agent-1: numbers out of range");
  EXPECT_TRUE(crew.all_ended());
}

TEST(Watch, WhoWasToldByTheFailingOneIsNotBlamedThoughItEndsFirst) {
  Crew crew =
      fake_crew({{"say", "agent-1 gave up", "exit", "6"}, {"sleep", "300", "say", "the disk is full", "exit", "4"}});
  const auto done = watch(crew, Heard().watcher);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "agent-1: the disk is full");
}

TEST(Watch, WhoMissedANeighboursGoodbyeHasItsResults) {
  Crew crew = fake_crew({{"report", "1"}, {"report", "1", "say", "agent-0 did not say goodbye", "exit", "7"}});
  EXPECT_EQ(watch(crew, Heard().watcher), true);
}

TEST(Watch, ATakenPortIsNoFailure) {
  Crew crew = fake_crew({{"wait"}, {"port-taken", "say", "127.0.0.1:1 is taken", "exit", "4"}});
  EXPECT_EQ(watch(crew, Heard().watcher), false);
  EXPECT_TRUE(crew.all_ended());
}

TEST(Watch, StopsWhenItIsAskedTo) {
  Crew crew = fake_crew({{"report", "1", "wait"}, {"wait"}});
  Heard heard;
  heard.watcher.stop_wanted = [&] { return heard.lines > 0; };
  const auto done = watch(crew, heard.watcher);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kInterrupted);
  EXPECT_TRUE(crew.all_ended());
}

}  // namespace
}  // namespace ppdnmf::launch
