#include <ppdnmf/io/atomic_file.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include <ppdnmf/io/test_files.h>

namespace ppdnmf::io {
namespace {

using ::testing::EndsWith;

class AtomicFile : public FolderTest {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }
};

TEST_F(AtomicFile, WritesAndReplaces) {
  ASSERT_TRUE(write_file(folder_ / "a.txt", "one"));
  ASSERT_TRUE(write_file(folder_ / "a.txt", "two"));
  EXPECT_EQ(file_text(folder_ / "a.txt"), "two");
  EXPECT_EQ(files(), 1U) << "no temporary file stays";
}

TEST_F(AtomicFile, SecretsAreForTheirOwnerOnly) {
  ASSERT_TRUE(write_file(folder_ / "key", "secret", kModeSecret));
  struct stat about {};
  ASSERT_EQ(::stat((folder_ / "key").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
}

TEST_F(AtomicFile, LeftOversOfAKilledProcessAreNoObstacle) {
  for (int i = 0; i < 50; ++i) (void)write(".a." + std::to_string(::getpid()) + "." + std::to_string(i) + ".tmp", "");
  ASSERT_TRUE(write_file(folder_ / "a", "x"));
  EXPECT_EQ(file_text(folder_ / "a"), "x");
}

TEST_F(AtomicFile, RefusesInASentence) {
  EXPECT_THAT(message_of(write_file(folder_ / "none" / "a", "x")),
              EndsWith("none/a: cannot be written: No such file or directory"));
  std::filesystem::create_directory(folder_ / "d");
  EXPECT_THAT(message_of(write_file(folder_ / "d", "x")), EndsWith("/d: cannot be written: Is a directory"));
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFile, KnowsBeforehandWhereItCannotWrite) {
  EXPECT_TRUE(check_can_write(folder_ / "a"));
  EXPECT_EQ(files(), 0U);
  EXPECT_THAT(message_of(check_can_write(folder_ / "none" / "a")),
              EndsWith("none/a: cannot be written: No such file or directory"));
  EXPECT_THAT(message_of(check_can_write(folder_)), EndsWith(": cannot be written: it is a folder"));
}

void write_beyond_the_limit(const std::filesystem::path& path) {
  (void)std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1000, 1000};
  (void)::setrlimit(RLIMIT_FSIZE, &limit);
  const std::string message = message_of(write_file(path, std::string(100000, 'x')));
  std::_Exit(message.ends_with("/a: cannot be written: File too large") ? 7 : 1);
}

// A full disk cannot be had without privileges; a limit on file sizes fails in the same place.
TEST_F(AtomicFile, WhenTheDiskIsFullTheOldFileStays) {
  ASSERT_TRUE(write_file(folder_ / "a", "old"));
  EXPECT_EXIT(write_beyond_the_limit(folder_ / "a"), ::testing::ExitedWithCode(7), "");
  EXPECT_EQ(file_text(folder_ / "a"), "old");
  EXPECT_EQ(files(), 1U) << "the temporary file is gone";
}

}  // namespace
}  // namespace ppdnmf::io
