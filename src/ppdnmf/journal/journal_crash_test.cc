// Killed, or out of disk, at every point of a save: what is found afterwards is a state that was saved whole.
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <vector>

#include <ppdnmf/journal/internal/injection.h>
#include <ppdnmf/journal/test_journal.h>

namespace ppdnmf::journal {
namespace {

std::function<int(JournalPoint)>& hook() {
  static std::function<int(JournalPoint)> function;
  return function;
}

constexpr JournalPoint kPoints[] = {JournalPoint::kOpened, JournalPoint::kHalfWritten, JournalPoint::kWritten,
                                    JournalPoint::kSynced, JournalPoint::kRenamed,     JournalPoint::kFolderSynced};

}  // namespace

int inject(JournalPoint point) { return hook() ? hook()(point) : 0; }

namespace {

class JournalCrash : public JournalTest {
 protected:
  void TearDown() override {
    hook() = nullptr;
    JournalTest::TearDown();
  }
  // A child saves "1", "2", ... and is killed at the point of its save number `victim`. Whether it was killed.
  bool killed_at(JournalPoint wanted, int victim) const {
    const pid_t child = ::fork();
    if (child == 0) {
      int saves = 0;
      hook() = [&](JournalPoint point) {
        if (point == JournalPoint::kOpened) ++saves;
        if (saves == victim && point == wanted) (void)::kill(::getpid(), SIGKILL);
        return 0;
      };
      auto journal = open();
      for (int i = 1; journal && i <= victim; ++i) (void)journal->save(bytes_of(std::to_string(i)));
      std::_Exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }
};

TEST_F(JournalCrash, KilledAtEveryPointOfEverySaveItLoadsTheLastWholeState) {
  for (const JournalPoint point : kPoints) {
    for (int victim = 1; victim <= 4; ++victim) {
      std::filesystem::remove_all(folder_);
      ASSERT_TRUE(killed_at(point, victim));
      const int last = point >= JournalPoint::kRenamed ? victim : victim - 1;
      const std::string expected = last == 0 ? "nothing" : std::to_string(last) + ": " + std::to_string(last);
      EXPECT_EQ(found(), expected) << static_cast<int>(point) << " " << victim;
      EXPECT_FALSE(std::filesystem::exists(folder_ / "state.new")) << "the interrupted file is gone";
      save_all({"on", "and on"});
      EXPECT_EQ(found(), std::to_string(last + 2) + ": and on");
    }
  }
}

TEST_F(JournalCrash, FailingAtEveryPointTheSameSaveMayBeRepeated) {
  for (const JournalPoint wanted : kPoints) {
    std::filesystem::remove_all(folder_);
    save_all({"one", "two"});
    auto journal = open();
    ASSERT_TRUE(journal);
    hook() = [&](JournalPoint point) { return point == wanted ? ENOSPC : 0; };
    for (int attempt = 0; attempt < 3; ++attempt) {
      const Status refused = journal->save(bytes_of("three"));
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::kFile);
      EXPECT_THAT(refused.error().message, ::testing::HasSubstr("No space left on device"));
      EXPECT_EQ(journal->number(), 2U);
    }
    hook() = nullptr;
    EXPECT_TRUE(journal->save(bytes_of("three")));
    EXPECT_EQ(journal->number(), 3U);
    journal = tl::unexpected(Error{});
    EXPECT_EQ(found(), "3: three");
  }
}

TEST_F(JournalCrash, GoesThroughThePointsInTheirOrder) {
  auto journal = open();
  ASSERT_TRUE(journal);
  std::vector<JournalPoint> seen;
  hook() = [&](JournalPoint point) {
    seen.push_back(point);
    return 0;
  };
  ASSERT_TRUE(journal->save(bytes_of("one")));
  EXPECT_THAT(seen, ::testing::ElementsAreArray(kPoints));
}

TEST_F(JournalCrash, ASecretIsForItsOwnerOnlyFromTheFirstByte) {
  const mode_t before = ::umask(0);
  auto journal = open();
  ASSERT_TRUE(journal);
  hook() = [&](JournalPoint point) {
    struct stat about {};
    const char* name = point < JournalPoint::kRenamed ? "state.new" : "state.1";
    EXPECT_EQ(::stat((folder_ / name).c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777U, 0600U) << static_cast<int>(point);
    return 0;
  };
  EXPECT_TRUE(journal->save(bytes_of("one")));
  ::umask(before);
}

}  // namespace
}  // namespace ppdnmf::journal
