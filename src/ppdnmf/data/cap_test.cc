#include <ppdnmf/data/cap.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/base/random.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/weights.h>

namespace ppdnmf::data {
namespace {

// Columns whose totals spread over many orders of magnitude.
Matrix spread_columns(std::uint64_t seed, Index rows, Index columns) {
  Stream stream(Seed::from_number(seed), 'C');
  Matrix Z(rows, columns);
  for (Index m = 0; m < columns; ++m) {
    const double size = std::exp(20 * stream.uniform() - 10);
    for (Index l = 0; l < rows; ++l) Z(l, m) = stream.uniform() < 0.5 ? 0 : size * stream.uniform();
  }
  return Z;
}

TEST(Cap, LiesAboveTheQuantileByLessThanItsResolution) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Matrix Z = spread_columns(seed, 7, 40 + static_cast<Index>(seed));
    std::vector<double> totals = column_totals(*view(Z));
    totals.erase(std::remove(totals.begin(), totals.end(), 0.0), totals.end());
    std::sort(totals.begin(), totals.end());
    for (const double quantile : {0.01, 0.25, 0.5, 0.75, 0.99}) {
      const SharedColumns all = view(Z);
      const Result<double> cap = cap_of({&all, 1}, quantile);
      ASSERT_TRUE(cap) << cap.error().message;
      const auto position = static_cast<std::size_t>(std::ceil(quantile * static_cast<double>(totals.size())));
      const double truth = totals[position - 1];
      EXPECT_GT(*cap, truth) << "seed " << seed;
      EXPECT_LE(*cap, truth * (1 + 1.0 / 128)) << "seed " << seed;
    }
  }
}

TEST(Cap, IsTheSameHoweverColumnsAreDividedAndKept) {
  const Matrix Z = spread_columns(3, 9, 60);
  const SharedColumns all = view(Z);
  const double cap = *cap_of({&all, 1}, 0.75);
  for (const auto& counts : {std::vector<Index>{1, 59}, std::vector<Index>{20, 20, 20}, std::vector<Index>{7, 3, 50}}) {
    std::vector<SharedColumns> parts = split(Z, counts);
    EXPECT_EQ(*cap_of(parts, 0.75), cap);
    for (SharedColumns& part : parts) part = without_zeros(part);
    EXPECT_EQ(*cap_of(parts, 0.75), cap);
  }
}

TEST(Cap, ScalesDownWhatIsAboveItAndRestoresCoordinates) {
  Matrix Z = spread_columns(4, 6, 30);
  const SharedColumns all = view(Z);
  const double cap = *cap_of({&all, 1}, 0.5);
  const SharedColumns capped = capped_columns(all, cap);
  const std::vector<double> before = column_totals(*all);
  const std::vector<double> after = column_totals(*capped);
  Index above = 0;
  Matrix Y = Matrix::Ones(2, Z.cols());
  capped->restore_units(Y);
  for (std::size_t m = 0; m < before.size(); ++m) {
    EXPECT_NEAR(after[m], std::min(before[m], cap), 1e-12 * cap);
    if (before[m] <= cap) {
      EXPECT_EQ(after[m], before[m]);
      EXPECT_EQ(Y(0, static_cast<Index>(m)), 1);
    } else {
      ++above;
      EXPECT_NEAR(Y(1, static_cast<Index>(m)), before[m] / cap, 1e-12 * before[m] / cap);
    }
  }
  EXPECT_GE(above, 10);
}

TEST(Cap, ColumnsOfZerosDoNotCount) {
  Matrix Z = Matrix::Zero(3, 12);
  Z.col(5).setConstant(2);
  Z.col(6).setConstant(4);
  const SharedColumns all = view(Z);
  EXPECT_GT(*cap_of({&all, 1}, 0.5), 6);
  EXPECT_LT(*cap_of({&all, 1}, 0.5), 6.1);
  const Matrix zeros = Matrix::Zero(3, 4);
  const SharedColumns none = view(zeros);
  EXPECT_EQ(cap_of({&none, 1}, 0.5).error().code, ErrorCode::kInvalidData);
}

TEST(Cap, RefusesCountsThatAreNone) {
  const std::vector<double> totals = {1, 2, 3, 1000};
  const CapSearch fresh(0.5);
  const std::vector<double> good = fresh.counts(totals);
  for (const double wrong : {-1.0, 0.5, 5.0, std::nan("")}) {
    CapSearch search(0.5);
    std::vector<double> counts = good;
    counts[3] = wrong;
    EXPECT_EQ(search.absorb(counts, 4).error().code, ErrorCode::kPeer) << wrong;
  }
  CapSearch search(0.5);
  ASSERT_TRUE(search.absorb(good, 4));
  std::vector<double> more = search.counts(totals);
  ++more[0];  // one column more than the first sum had there
  EXPECT_EQ(search.absorb(more, 4).error().code, ErrorCode::kPeer);
}

TEST(Cap, ASavedSearchGoesOnToTheSameCap) {
  const std::vector<double> totals = {1, 2, 3, 1000, 0.125, 7};
  CapSearch search(0.6);
  for (int sums = 0; sums <= CapSearch::kSums; ++sums) {
    ByteWriter out;
    search.save(out);
    const Bytes saved = out.take();
    ByteReader in(saved);
    CapSearch loaded(0.6);
    loaded.load(in);
    ASSERT_TRUE(in.status() && loaded.in_range());
    while (!loaded.done()) ASSERT_TRUE(loaded.absorb(loaded.counts(totals), 6));
    EXPECT_GT(loaded.cap(), 3);
    EXPECT_LT(loaded.cap(), 3.03);
    if (search.done()) continue;
    ASSERT_TRUE(search.absorb(search.counts(totals), 6));
  }
}

TEST(Weights, EnterAsTheLossesWantThem) {
  const Matrix Z = spread_columns(5, 4, 6);
  const std::vector<double> weights = {1, 4, 0.25, 2, 1, 9};
  const SharedColumns columns = with_weights(view(Z), weights);
  const std::vector<double> plain = column_totals(*view(Z));
  const std::vector<double> squares = column_totals(*weighed(columns, 2));
  const std::vector<double> counts = column_totals(*weighed(columns, 1));
  Matrix Y = Matrix::Ones(1, 6);
  weighed(columns, 2)->restore_units(Y);
  for (std::size_t m = 0; m < weights.size(); ++m) {
    EXPECT_NEAR(squares[m], std::sqrt(weights[m]) * plain[m], 1e-12 * plain[m]);
    EXPECT_NEAR(counts[m], weights[m] * plain[m], 1e-12 * counts[m]);
    EXPECT_NEAR(Y(0, static_cast<Index>(m)), 1 / std::sqrt(weights[m]), 1e-12);
  }
}

}  // namespace
}  // namespace ppdnmf::data
