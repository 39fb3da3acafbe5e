#include <ppdnmf/identity/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include <ppdnmf/identity/test_identity.h>

namespace ppdnmf::identity {
namespace {

using ::testing::HasSubstr;

class IdentityFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "ppdnmf_identity_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path folder_;
};

unsigned mode_of(const std::filesystem::path& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 ? about.st_mode & 0777U : 0;
}

TEST_F(IdentityFiles, AreWrittenAndReadWhateverTheUmaskIs) {
  const PrivateIdentity own = test_identity("a");
  const mode_t before = ::umask(0);
  const IdentityPaths paths = identity_paths(folder_, "a");
  const Status status = write_identity(paths, own, nullptr, false);
  ::umask(before);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(mode_of(paths.key), 0600U);
  EXPECT_EQ(mode_of(paths.pub), 0666U);
  const auto shown = read_public_identity(paths.pub);
  ASSERT_TRUE(shown) << shown.error().message;
  EXPECT_TRUE(*shown == own.public_identity());
  const auto bytes = read_key_file(paths.key);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_TRUE(PrivateIdentity::decode(bytes->span(), nullptr));
}

TEST_F(IdentityFiles, AnExistingOneIsReplacedByForceOnly) {
  const IdentityPaths paths = identity_paths(folder_, "a");
  ASSERT_TRUE(write_identity(paths, test_identity("a"), nullptr, false));
  const PrivateIdentity second = test_identity("a");
  std::filesystem::remove(paths.key);
  const Status refused = write_identity(paths, second, nullptr, false);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("a.pub: already exists"));
  EXPECT_FALSE(std::filesystem::exists(paths.key)) << "nothing is written if one of the two cannot be";
  ASSERT_TRUE(write_identity(paths, second, nullptr, true));
  EXPECT_TRUE(*read_public_identity(paths.pub) == second.public_identity());
}

TEST_F(IdentityFiles, AKeyThatOthersMayReadIsRefused) {
  const IdentityPaths paths = identity_paths(folder_, "a");
  ASSERT_TRUE(write_identity(paths, test_identity("a"), nullptr, false));
  ASSERT_EQ(::chmod(paths.key.c_str(), 0640), 0);
  const auto refused = read_key_file(paths.key);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("chmod 600"));
}

TEST_F(IdentityFiles, AFileOfAnotherKindGetsASentence) {
  std::ofstream(folder_ / "x.pub") << "hello";
  const auto refused = read_public_identity(folder_ / "x.pub");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("x.pub: is not a public identity"));
}

// Not that others may read it, which is what it is for.
TEST_F(IdentityFiles, ThePublicHalfInTheKeysPlaceIsToldSo) {
  const IdentityPaths paths = identity_paths(folder_, "a");
  ASSERT_TRUE(write_identity(paths, test_identity("a"), nullptr, false));
  EXPECT_THAT(read_key_file(paths.pub).error().message, HasSubstr("a.pub: is the public half of an identity"));
  EXPECT_TRUE(read_key_file(paths.key));
}

}  // namespace
}  // namespace ppdnmf::identity
