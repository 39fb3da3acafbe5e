#include <ppdnmf/launch/private_folder.h>

#include <gtest/gtest.h>

#include <fstream>

namespace ppdnmf::launch {
namespace {

namespace fs = std::filesystem;

TEST(PrivateFolder, IsForItsOwnerOnlyAndGoesWithWhatIsInIt) {
  fs::path path;
  {
    auto folder = PrivateFolder::make();
    ASSERT_TRUE(folder);
    path = folder->path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directory(path / "inside");
    std::ofstream(path / "inside" / "file") << "secret";
    const PrivateFolder moved = *std::move(folder);
    EXPECT_TRUE(fs::exists(moved.path()));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(PrivateFolder, StaysIfItIsToBeKept) {
  fs::path path;
  {
    auto folder = PrivateFolder::make();
    ASSERT_TRUE(folder);
    folder->keep();
    path = folder->path();
  }
  EXPECT_TRUE(fs::exists(path));
  fs::remove_all(path);
}

}  // namespace
}  // namespace ppdnmf::launch
