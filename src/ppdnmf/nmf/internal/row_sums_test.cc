#include <ppdnmf/nmf/internal/row_sums.h>

#include <gtest/gtest.h>

#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf::internal {
namespace {

constexpr Index kRows = 300;
constexpr Index kColumns = 500;
constexpr Index kRank = 11;
constexpr double kUnit = 0.25;

class RowSumsOfNonzeros : public ::testing::Test {
 protected:
  RowSumsOfNonzeros() {
    Stream stream = test_stream(1);
    Z_.rows = kRows;
    for (Index m = 0; m < kColumns; ++m) {
      for (int l = 0; l < kRows; ++l) {
        if (stream.uniform() > 0.1 * (m % 3) || l % 7 == 3) continue;
        Z_.row.push_back(l);
        Z_.value.push_back(stream.uniform());
      }
      Z_.first.push_back(Z_.row.size());
    }
    Y_.assign(numbers(kColumns * groups_ * kLanes), 0.0);
    for (Index m = 0; m < kColumns; ++m) {
      for (Index k = 0; k < kRank; ++k) Y_[numbers(m * groups_ * kLanes + k)] = stream.uniform();
    }
    columns_ = data::view(Z_);
    block_ = columns_->lend({0, kColumns}, scratch_);
  }

  // Entry by entry, leaf by leaf.
  [[nodiscard]] Matrix expected(const std::vector<data::Range>& leaves) const {
    std::vector<Matrix> sums;
    for (const data::Range& leaf : leaves) {
      Matrix S = Matrix::Zero(kRows, kRank);
      for (Index m = leaf.first; m < leaf.first + leaf.count; ++m) {
        data::for_entries(block_, m, [&](Index l, double z) {
          for (Index k = 0; k < kRank; ++k) S(l, k) += Y_[numbers(m * groups_ * kLanes + k)] * z;
        });
      }
      sums.emplace_back(S * kUnit);
    }
    return data::add_up(std::move(sums), [](Matrix& a, const Matrix& b) { a += b; });
  }

  Index groups_ = round_up(kRank, kLanes) / kLanes;
  data::Nonzeros Z_;
  LineVector Y_;
  data::SharedColumns columns_;
  data::Scratch scratch_;
  data::Block block_;
};

TEST_F(RowSumsOfNonzeros, AreThoseOfTheLeavesWhateverTheBandsAndThreads) {
  const std::vector<std::vector<data::Range>> divisions = {{{0, kColumns}},
                                                           {{0, 64}, {64, 436}},
                                                           {{0, 1}, {1, 2}, {3, 0}, {3, 497}},
                                                           {{0, 128}, {128, 64}, {192, 64}, {256, 244}}};
  TestThreads threads;
  for (const std::vector<data::Range>& leaves : divisions) {
    const Matrix S = expected(leaves);
    for (const std::size_t workers : {1, 2, 4}) {
      for (const Index rank : {kRank, Index{4000}}) {  // as wide as that, few rows fill a cache
        const Bands bands = bands_of(block_, leaves, rank, workers);
        const RowSums sums{automatic_lanes(), block_, leaves, bands, Y_.data(), groups_, kUnit};
        EXPECT_TRUE(sums.run(kRank, serial_executor()) == S);
        EXPECT_TRUE(sums.run(kRank, threads) == S);
      }
    }
  }
}

TEST_F(RowSumsOfNonzeros, BandsCoverAllRowsAndShareOutWhatThereIs) {
  const std::vector<data::Range> equal = {{0, 128}, {128, 128}, {256, 128}, {384, 116}};
  const std::vector<data::Range> unequal = {{0, 10}, {10, 10}, {20, 10}, {30, 470}};
  for (const auto& leaves : {equal, unequal}) {
    for (const std::size_t threads : {1, 2, 8}) {
      const Bands bands = bands_of(block_, leaves, kRank, threads);
      EXPECT_EQ(bands.first.front(), 0);
      EXPECT_EQ(bands.first.back(), kRows);
      for (std::size_t i = 0; i + 1 < bands.first.size(); ++i) EXPECT_LT(bands.first[i], bands.first[i + 1]);
      EXPECT_EQ(bands.groups.front(), 0U);
      EXPECT_EQ(bands.groups.back(), bands.first.size() - 1);
      for (std::size_t i = 0; i + 1 < bands.groups.size(); ++i) EXPECT_LT(bands.groups[i], bands.groups[i + 1]);
    }
  }
  EXPECT_EQ(bands_of(block_, equal, kRank, 1).first.size(), 2U);
  EXPECT_EQ(bands_of(block_, equal, kRank, 2).branches, 4U);
  EXPECT_EQ(bands_of(block_, equal, kRank, 2).groups.size(), 2U);
  EXPECT_EQ(bands_of(block_, unequal, kRank, 2).branches, 1U);
  EXPECT_GT(bands_of(block_, unequal, kRank, 2).groups.size(), 2U);
}

}  // namespace
}  // namespace ppdnmf::nmf::internal
