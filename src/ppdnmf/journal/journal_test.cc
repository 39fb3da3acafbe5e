#include <ppdnmf/journal/journal.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>

#include <ppdnmf/journal/test_journal.h>

namespace ppdnmf::journal {
namespace {

using ::testing::HasSubstr;

TEST_F(JournalTest, TheLastStateComesBack) {
  EXPECT_EQ(found(), "nothing");
  save_all({"one"});
  EXPECT_EQ(found(), "1: one");
  save_all({"two", "three"});
  EXPECT_EQ(found(), "3: three");
  save_all({""});
  EXPECT_EQ(found(), "4: ");
}

TEST_F(JournalTest, ATornLastWriteFallsBackToTheOneBefore) {
  save_all({"one", "two"});
  const Bytes whole = file_bytes(folder_ / "state.0");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    overwrite(folder_ / "state.0", ByteSpan(whole).first(size));
    ASSERT_EQ(found(), "1: one") << size;
    Bytes changed = whole;
    changed[size] ^= 0x40;
    overwrite(folder_ / "state.0", changed);
    ASSERT_EQ(found(), "1: one") << size;
  }
  auto journal = open();
  ASSERT_TRUE(journal);
  EXPECT_TRUE(journal->take_saved()->other_damaged);
  ASSERT_TRUE(journal->save(bytes_of("two again")));
  EXPECT_EQ(journal->number(), 2U);
}

TEST_F(JournalTest, WithoutAWholeStateItRefuses) {
  save_all({"one", "two"});
  for (const char* name : {"state.0", "state.1"}) overwrite(folder_ / name, bytes_of("torn"));
  EXPECT_THAT(found(), HasSubstr("no saved state in it is whole"));
}

TEST_F(JournalTest, AStateUnderTheOthersNameIsNotWhole) {
  save_all({"one", "two", "three"});
  std::filesystem::copy_file(folder_ / "state.1", folder_ / "state.0",
                             std::filesystem::copy_options::overwrite_existing);
  auto journal = open();
  ASSERT_TRUE(journal);
  const auto saved = journal->take_saved();
  EXPECT_EQ(text_of(*saved), "three");
  EXPECT_TRUE(saved->other_damaged);
}

TEST_F(JournalTest, BelongsToOneRunAndSaysToWhich) {
  save_all({"one"});
  JournalBinding other = test_binding();
  other.data[0] = 9;
  EXPECT_THAT(found(other), HasSubstr("other data"));
  other = test_binding();
  other.consortium[0] = 9;
  EXPECT_THAT(found(other), HasSubstr("another consortium file"));
  other = test_binding();
  other.identity[0] = 9;
  EXPECT_THAT(found(other), HasSubstr("another identity"));
  other = test_binding();
  other.numerics = "numerics 2";
  EXPECT_THAT(found(other), HasSubstr("another version"));
  EXPECT_EQ(found(), "1: one");
}

TEST_F(JournalTest, ASecondOneIsKeptOut) {
  const auto first = open();
  ASSERT_TRUE(first);
  EXPECT_THAT(found(), HasSubstr("another process works in this folder"));
}

TEST_F(JournalTest, AKilledProcessLeavesNoLock) {
  int ready[2] = {};
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto journal = open();
    (void)!::write(ready[1], "x", journal ? 1 : 0);
    while (true) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THAT(found(), HasSubstr("another process"));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(found(), "nothing");
  ::close(ready[0]);
  ::close(ready[1]);
}

unsigned mode_of(const std::filesystem::path& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 ? about.st_mode & 0777U : 0;
}

TEST_F(JournalTest, IsForItsOwnerOnlyWhateverTheUmaskIs) {
  const mode_t before = ::umask(0);
  save_all({"one", "two"});
  ::umask(before);
  EXPECT_EQ(mode_of(folder_), 0700U);
  for (const char* name : {"state.0", "state.1", "lock"}) EXPECT_EQ(mode_of(folder_ / name), 0600U) << name;
}

TEST_F(JournalTest, AFolderForOthersIsRefused) {
  ASSERT_EQ(::mkdir(folder_.c_str(), 0755), 0);
  EXPECT_THAT(found(), HasSubstr("chmod 700"));
  ASSERT_EQ(::chmod(folder_.c_str(), 0700), 0);
  EXPECT_EQ(found(), "nothing");
}

TEST_F(JournalTest, RefusesWhatIsNoFolderInASentence) {
  overwrite(folder_, bytes_of("a file"));
  EXPECT_THAT(found(), HasSubstr("Not a directory"));
  std::filesystem::remove(folder_);
  std::filesystem::create_directory_symlink(above_, folder_);
  EXPECT_THAT(found(), HasSubstr("cannot be a journal's folder"));
  std::filesystem::remove(folder_);
  folder_ = above_ / "none" / "journal";
  EXPECT_THAT(found(), HasSubstr("No such file or directory"));
}

TEST_F(JournalTest, AnEnormousFileIsRefusedBeforeMemoryIsTaken) {
  save_all({"one"});
  std::filesystem::resize_file(folder_ / "state.1", std::uintmax_t{1} << 40U);
  EXPECT_THAT(found(), HasSubstr("longer than any state"));
}

TEST_F(JournalTest, AStateTooLongIsNotWritten) {
  auto journal = open();
  ASSERT_TRUE(journal);
  EXPECT_FALSE(journal->save(Bytes(kTestBytes + 1)));
  EXPECT_TRUE(journal->save(Bytes(kTestBytes)));
}

TEST_F(JournalTest, SavingAloneLeavesNoEarlierState) {
  save_all({"a secret", "another secret"});
  auto journal = open();
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->save_alone(bytes_of("nothing to hide")));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    ++files;
    const Bytes bytes = file_bytes(entry.path());
    EXPECT_EQ(std::string(bytes.begin(), bytes.end()).find("secret"), std::string::npos) << entry.path();
  }
  EXPECT_EQ(files, 2U) << "one state and the lock";
}

void save_on_a_full_disk(const std::filesystem::path& folder) {
  (void)std::signal(SIGXFSZ, SIG_IGN);
  auto journal = Journal::open(folder, test_binding(), kTestBytes);
  const rlimit full{1000, RLIM_INFINITY};
  const rlimit emptied{RLIM_INFINITY, RLIM_INFINITY};
  (void)::setrlimit(RLIMIT_FSIZE, &full);
  const Bytes large(100000, 'x');
  const Status refused = journal->save(large);
  const bool clean = !std::filesystem::exists(folder / "state.new");
  (void)::setrlimit(RLIMIT_FSIZE, &emptied);
  const bool right = !refused && refused.error().code == ErrorCode::kFile && clean && journal->number() == 1 &&
                     journal->save(large) && journal->number() == 2;
  std::_Exit(right ? 7 : 1);
}

// A full disk cannot be had without privileges; a limit on file sizes fails in the same place.
TEST_F(JournalTest, OnceTheDiskHasRoomTheSameSaveSucceeds) {
  save_all({"one"});
  EXPECT_EXIT(save_on_a_full_disk(folder_), ::testing::ExitedWithCode(7), "");
  EXPECT_EQ(found(), "2: " + std::string(100000, 'x'));
}

}  // namespace
}  // namespace ppdnmf::journal
