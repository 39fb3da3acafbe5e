#include <ppdnmf/nmf/exposures.h>

#include <gtest/gtest.h>

#include <cmath>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/nmf/resample.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf {
namespace {

constexpr LossKind kSquares = LossKind::kSquares;
constexpr LossKind kPoisson = LossKind::kPoisson;

// Signatures with peaks of their own and something in common; columns sum to one.
Matrix made_signatures(Index rows, Index rank, std::uint64_t seed) {
  Stream random(Seed::from_number(seed), 1);
  Matrix X(rows, rank);
  for (double& x : X.reshaped()) {
    const double u = random.uniform();
    x = u * u * u * u + 0.005;
  }
  for (Index k = 0; k < rank; ++k) X.col(k) /= X.col(k).sum();
  return X;
}

// Every column has `active` of the components, with some hundreds of counts each.
Matrix made_exposures(Index rank, Index columns, Index active, std::uint64_t seed) {
  Stream random(Seed::from_number(seed), 2);
  Matrix Y = Matrix::Zero(rank, columns);
  for (Index m = 0; m < columns; ++m) {
    for (Index n = 0; n < active; ++n)
      Y(static_cast<Index>(random.below(static_cast<std::uint64_t>(rank))), m) = 300 + 1200 * random.uniform();
  }
  return Y;
}

Matrix counts_of(const Matrix& mean, std::uint64_t seed) {
  Stream random(Seed::from_number(seed), 3);
  Matrix Z = mean;
  for (double& z : Z.reshaped()) z = draw_poisson(z, random);
  return Z;
}

Matrix solved(LossKind kind, const Matrix& X, const Matrix& Z) {
  const std::shared_ptr<const Loss> loss = loss_of({kind, Curvature::kScaled});
  const data::SharedColumns columns = data::view(Z);
  std::vector<double> constants(static_cast<std::size_t>(Z.cols()));
  loss->constants(*columns, {0, Z.cols()}, 1, constants.data());
  Matrix Y = Matrix::Zero(X.cols(), Z.cols());
  Moments out;
  loss->at({X, Effort::kThorough, 0, false})->solve({*columns, {0, Z.cols()}, 1, constants.data()}, Y, Y, out);
  return Y;
}

struct Coverage {
  double all = 0, active = 0;  // parts of the numbers of Y that lie in their intervals
};
Coverage coverage_of(const Intervals& intervals, const Matrix& truth) {
  Index all = 0;
  Index active = 0;
  Index actives = 0;
  for (Index i = 0; i < truth.size(); ++i) {
    const double y = truth.data()[i];
    // The Poisson loss keeps a number above zero, however little.
    const bool inside = intervals.low.data()[i] <= y + 1e-3 && y <= intervals.high.data()[i];
    all += inside ? 1 : 0;
    if (y > 0) {
      ++actives;
      active += inside ? 1 : 0;
    }
  }
  return {static_cast<double>(all) / static_cast<double>(truth.size()),
          static_cast<double>(active) / static_cast<double>(actives)};
}

TEST(Exposures, IntervalsOfCountsCoverTheTruthAsOftenAsTheySay) {
  const Matrix X = made_signatures(96, 6, 1);
  const Matrix truth = made_exposures(6, 150, 4, 2);
  const Matrix Z = counts_of(X * truth, 3);
  const Matrix Y = solved(kPoisson, X, Z);
  const Intervals found = intervals(kPoisson, X, data::view(Z), Y, 200, Seed::from_number(1));
  const Coverage coverage = coverage_of(found, truth);
  EXPECT_GT(coverage.active, 0.92);
  EXPECT_LT(coverage.active, 0.98);
  EXPECT_GT(coverage.all, 0.93);
  EXPECT_TRUE((found.low.array() <= Y.array() + 1e-9 * Y.maxCoeff()).all());
  EXPECT_TRUE((found.high.array() >= Y.array() - 1e-9 * Y.maxCoeff()).all());
}

TEST(Exposures, IntervalsUnderSquaresKnowWhereResidualsAreLarge) {
  const Matrix X = made_signatures(200, 5, 4);
  const Matrix truth = made_exposures(5, 150, 4, 5);
  Stream random(Seed::from_number(6), 4);
  Matrix Z = X * truth;
  for (double& z : Z.reshaped()) z *= 1 + 0.2 * random.normal();  // larger where there is more
  const Matrix Y = solved(kSquares, X, Z);
  const Coverage coverage = coverage_of(intervals(kSquares, X, data::view(Z), Y, 200, Seed::from_number(1)), truth);
  EXPECT_GT(coverage.active, 0.90);
  EXPECT_LT(coverage.active, 0.985);
}

TEST(Exposures, PruningFindsTheComponentsThatAColumnHas) {
  const Matrix X = made_signatures(96, 12, 7);
  const Matrix truth = made_exposures(12, 40, 4, 8);
  const Matrix Z = counts_of(X * truth, 9);
  const Matrix Y = solved(kPoisson, X, Z);
  const data::SharedColumns columns = data::view(Z);
  const Matrix pruned = prune(kPoisson, X, columns, Y, 0.04);
  Index right = 0;
  Index wrong = 0;
  for (Index i = 0; i < truth.size(); ++i) {
    if ((pruned.data()[i] > 0) == (truth.data()[i] > 0)) ++right;
    if (pruned.data()[i] == 0 && truth.data()[i] > 0) ++wrong;
  }
  EXPECT_GT(static_cast<double>(right), 0.9 * static_cast<double>(truth.size()));
  EXPECT_EQ(wrong, 0) << "three hundred counts pay";
  const ExposureMeasures before = measures_of(column_fits(X, *columns, Y));
  const ExposureMeasures after = measures_of(column_fits(X, *columns, pruned));
  EXPECT_LT(after.active_mean, before.active_mean);
  EXPECT_GT(after.cosine_median, before.cosine_median - 0.01);
  // What is left is the best for it.
  for (Index m = 0; m < 5; ++m) {
    std::vector<Index> kept;
    for (Index k = 0; k < 12; ++k) {
      if (pruned(k, m) > 0) kept.push_back(k);
    }
    const Matrix again = solved(kPoisson, X(Eigen::all, kept), Z.col(m));
    for (std::size_t i = 0; i < kept.size(); ++i)
      EXPECT_NEAR(pruned(kept[i], m), again(static_cast<Index>(i), 0), 1e-4 * Y.col(m).sum()) << m;
  }
}

TEST(Exposures, PruningKeepsWhatAnExactFitNeeds) {
  const Matrix X = made_signatures(30, 6, 10);
  Matrix truth = made_exposures(6, 10, 3, 11);
  truth.col(3).setZero();
  const Matrix Z = X * truth;
  for (const LossKind loss : {kSquares, kPoisson}) {
    const Matrix pruned = prune(loss, X, data::view(Z), solved(loss, X, Z), 0.04);
    for (Index i = 0; i < truth.size(); ++i) {
      EXPECT_EQ(pruned.data()[i] > 0, truth.data()[i] > 0) << i;
      EXPECT_NEAR(pruned.data()[i], truth.data()[i], 1e-3);
    }
  }
}

TEST(Exposures, DroppedComponentsHaveNoInterval) {
  const Matrix X = made_signatures(40, 3, 12);
  Matrix truth = Matrix::Zero(3, 2);
  truth << 500, 0, 0, 0, 700, 0;
  const Matrix Z = counts_of(X * truth, 13);
  const Intervals found = intervals(kPoisson, X, data::view(Z), truth, 50, Seed::from_number(1));
  EXPECT_EQ(found.high(1, 0), 0);
  EXPECT_GT(found.low(0, 0), 0);
  EXPECT_TRUE((found.high.col(1).array() == 0).all()) << "a column of zeros";
}

TEST(Exposures, AreTheSameBytesOnAnyThreadsAndWhoeverHoldsTheColumns) {
  const Matrix X = made_signatures(60, 5, 14);
  const Matrix Z = counts_of(X * made_exposures(5, 33, 3, 15), 16);
  Matrix Y = solved(kPoisson, X, Z);
  Matrix Y_threads = Y;
  const ExposureOptions options{0.04, 30};
  const Seed seed = Seed::from_number(5);
  const Exposures all = work_out(kPoisson, X, data::view(Z), Y, options, seed);
  TestThreads threads;
  const Exposures again = work_out(kPoisson, X, data::view(Z), Y_threads, options, seed, threads);
  EXPECT_EQ(Y, Y_threads);
  EXPECT_EQ(all.intervals.low, again.intervals.low);
  EXPECT_EQ(all.intervals.high, again.intervals.high);
  Matrix part = Y.middleCols(10, 7);
  const Exposures own = work_out(kPoisson, X, data::view(Z, {10, 7}), part, {0, 30}, seed);
  EXPECT_EQ(own.intervals.low, all.intervals.low.middleCols(10, 7));
  const Intervals other = intervals(kPoisson, X, data::view(Z), Y, 30, Seed::from_number(6));
  EXPECT_NE(other.low, all.intervals.low);
}

TEST(Exposures, MeasuresLeaveOutColumnsOfZeros) {
  Matrix X(2, 2);
  X << 1, 0, 0, 1;
  Matrix Z(2, 3);
  Z << 3, 0, 1, 4, 0, 0;
  Matrix Y(2, 3);
  Y << 3, 0, 1, 4, 0, 0.005;
  const ColumnFits fits = column_fits(X, *data::view(Z), Y);
  ASSERT_EQ(fits.active, (std::vector<double>{2, 1}));
  EXPECT_DOUBLE_EQ(fits.cosine[0], 1);
  const ExposureMeasures measures = measures_of(fits);
  EXPECT_DOUBLE_EQ(measures.active_median, 1.5);
  EXPECT_DOUBLE_EQ(measures.active_mean, 1.5);
  EXPECT_TRUE(std::isnan(measures_of({}).cosine_low));
}

}  // namespace
}  // namespace ppdnmf::nmf
