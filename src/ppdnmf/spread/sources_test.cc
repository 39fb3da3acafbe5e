#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <ppdnmf/io/npy.h>
#include <ppdnmf/spread/share.h>
#include <ppdnmf/spread/sources.h>

namespace ppdnmf::spread {
namespace {

TEST(Names, AreInTheOrderOfTheirNumbers) {
  const std::vector<std::string> wanted = {"a.npy",       "part-01.npy",  "part-1.npy",   "part-2.npy",
                                           "part-10.npy", "part-10a.npy", "part-100.npy", "z1.npy"};
  std::vector<std::string> names = wanted;
  std::reverse(names.begin(), names.end());
  std::sort(names.begin(), names.end(), comes_before);
  EXPECT_EQ(names, wanted);
}

TEST(Shares, HaveEveryColumnOnceInWholeLeaves) {
  for (const Index count : {Index{1}, Index{63}, Index{1000}, Index{100000}}) {
    for (const int processes : {1, 2, 3, 4, 7, 16, 40}) {
      const std::vector<data::Range> leaves = data::leaves(500, count);
      Index next = 0;
      std::size_t leaf = 0;
      std::size_t in_branches = 0;
      for (const Share& share : shares(500, count, std::vector<std::uint8_t>(static_cast<std::size_t>(processes), 1))) {
        EXPECT_TRUE(share.none() ? share.columns.count == 0 : share.columns.first == next);
        for (const data::Range& own : share.leaves) {
          EXPECT_EQ(own.first + share.columns.first, leaves[leaf].first);
          EXPECT_EQ(own.count, leaves[leaf++].count);
        }
        for (const data::Branch& branch : share.branches) {
          EXPECT_EQ(branch.first, in_branches);
          in_branches += branch.count;
        }
        next += share.columns.count;
      }
      EXPECT_EQ(next, count);
      EXPECT_EQ(leaf, leaves.size());
      EXPECT_EQ(in_branches, leaves.size());
    }
  }
}

// Whoever says what is in a file need not be on the machine of whoever reads a piece of it.
TEST(Sources, TellFilesOfOneNameApartByTheirShape) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("ppdnmf_sources_" + std::to_string(::getpid()) + ".npy");
  ASSERT_TRUE(io::write_npy(file, Matrix::Ones(3, 5)));
  const auto taken = [&](Index rows, Index columns) {
    ByteWriter task;
    task.put<std::uint64_t>(1);
    put(task, Piece{0, file.string(), {1, 2}, columns, rows});
    const Bytes bytes = task.take();
    ByteReader in(bytes);
    ByteWriter out;
    const Status status = Sources().carry_out(Task::kTake, in, out);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(taken(3, 5), "");
  EXPECT_EQ(taken(4, 5), file.string() + ": has 3 x 5 entries here and 4 x 5 elsewhere, or changed while it was read");
  EXPECT_EQ(taken(3, 6), file.string() + ": has 3 x 5 entries here and 3 x 6 elsewhere, or changed while it was read");
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace ppdnmf::spread
