#include <ppdnmf/nmf/loss.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/internal/lane_functions.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf {
namespace {

// Counts about X Y: some of them zero, most of them small.
Matrix counts(std::uint64_t seed, Index rows, Index columns, Index rank, double size = 30) {
  Stream stream = test_stream(seed);
  Matrix X = random_matrix(stream, rows, rank).array().pow(4);
  const Matrix Y = random_matrix(stream, rank, columns).array().pow(3);
  return (size * X * Y + random_matrix(stream, rows, columns, -0.5, 0.5)).array().round().cwiseMax(0);
}

double naive_divergence(const Matrix& Z, const Matrix& X, const Matrix& Y) {
  const Matrix R = X * Y;
  double sum = 0;
  for (Index t = 0; t < Z.size(); ++t) {
    const double z = Z.data()[t];
    const double r = R.data()[t];
    sum += (z > 0 ? z * std::log(z / r) : 0) - z + r;
  }
  return sum;
}

// What others use, begun where a descent begins.
double multiplicative(const Matrix& Z, Matrix X, int updates) {
  Matrix Y = Matrix::Ones(X.cols(), 1) * Z.colwise().sum() / static_cast<double>(X.cols());
  for (int n = 0; n < updates; ++n) {
    const Matrix ratio = (Z.array() / (X * Y).array()).matrix();
    Y = (Y.array() * (X.transpose() * ratio).array()).matrix();
    Y.array().colwise() /= X.colwise().sum().transpose().array();
    const Matrix again = (Z.array() / (X * Y).array()).matrix();
    X = (X.array() * (again * Y.transpose()).array()).matrix();
    X.array().rowwise() /= Y.rowwise().sum().transpose().array();
  }
  return naive_divergence(Z, X, Y);
}

DescentRequest request_for(const Matrix& X) {
  DescentRequest request;
  request.X = X;
  request.restart = true;
  return request;
}

FactorizeOptions poisson_options(Index rank, Curvature curvature, int iterations) {
  FactorizeOptions options;
  options.rank = rank;
  options.loss = LossKind::kPoisson;
  options.curvature = curvature;
  options.iterations = iterations;
  options.tolerance = 0;
  return options;
}

Factorization run(const Matrix& Z, const FactorizeOptions& options, std::uint64_t seed = 1,
                  Executor& executor = serial_executor()) {
  auto made = Factorization::create(data::view(Z), options, Seed::from_number(seed), executor);
  while (!made->done()) EXPECT_TRUE(made->step());
  return std::move(*made);
}

class PoissonTest : public testing::TestWithParam<Curvature> {};
INSTANTIATE_TEST_SUITE_P(Curvatures, PoissonTest, testing::Values(Curvature::kFull, Curvature::kScaled));

TEST_P(PoissonTest, TotalsAreWhatALoopOverEntriesGives) {
  const Matrix Z = counts(2, 11, 7, 3);
  Stream stream = test_stream(3);
  const Matrix X = random_matrix(stream, 11, 3, 0.01);
  Holder holder(data::view(Z), serial_executor(), loss_of({LossKind::kPoisson, GetParam()}));
  holder.begin(3, 2);
  const Moments totals = holder.answer(request_for(X));
  const Matrix Y = holder.Y();
  const Matrix R = X * Y;
  for (Index l = 0; l < 11; ++l) {
    for (Index k = 0; k < 3; ++k) {
      double first = 0;
      for (Index j = 0; j < 7; ++j) first += Z(l, j) / R(l, j) * Y(k, j);
      EXPECT_NEAR(2 * totals.S(k, l), X(l, k) * first, 1e-9);
      for (Index i = 0; i <= k; ++i) {
        double second = 0;
        for (Index j = 0; j < 7; ++j) second += Z(l, j) / (R(l, j) * R(l, j)) * Y(k, j) * Y(i, j);
        const double expected = X(l, k) * X(l, i) * second;
        if (GetParam() == Curvature::kFull) {
          EXPECT_NEAR(2 * totals.T(k * (k + 1) / 2 + i, l), expected, 1e-9);
        } else if (i == k) {
          EXPECT_NEAR(2 * totals.T(k, l), expected, 1e-9);
        }
      }
    }
  }
  for (Index k = 0; k < 3; ++k) EXPECT_NEAR(2 * totals.S(k, 11), Y.row(k).sum(), 1e-9);
  EXPECT_NEAR(2 * totals.divergence, naive_divergence(Z, X, Y), 1e-9 * Z.sum());
  EXPECT_NEAR(4 * totals.squared_error, (Z - R).squaredNorm(), 1e-9 * Z.squaredNorm());
}

// As a difference of squares it would have half of the digits.
TEST_P(PoissonTest, AnExactFitLeavesNoSquaredError) {
  Stream stream = test_stream(4);
  const Matrix X = random_matrix(stream, 13, 1, 0.1);
  const Matrix Z = X * random_matrix(stream, 1, 300, 0.1);
  Holder holder(data::view(Z), serial_executor(), loss_of({LossKind::kPoisson, GetParam()}));
  holder.begin(1, 1);
  EXPECT_LT(holder.answer(request_for(X)).squared_error, 1e-28 * Z.squaredNorm());
}

TEST_P(PoissonTest, NoWordOfARowIsLargerThanTheRowsTotalHoweverSmallXIs) {
  const Matrix Z = counts(4, 20, 30, 4);
  Stream stream = test_stream(5);
  Matrix X = random_matrix(stream, 20, 4).array().pow(40);
  X = X.cwiseMax(1e-12);
  Holder holder(data::view(Z), serial_executor(), loss_of({LossKind::kPoisson, GetParam()}));
  holder.begin(4, 1);
  DescentRequest request = request_for(X);
  request.unhurried = true;
  const Moments totals = holder.answer(request);
  for (Index l = 0; l < 20; ++l) {
    const double most = Z.row(l).sum() * (1 + 1e-9);
    EXPECT_LE(totals.S.col(l).maxCoeff(), most);
    EXPECT_LE(totals.T.col(l).maxCoeff(), most);
  }
}

TEST_P(PoissonTest, NumbersOfTotalsBecomeTheSameTotalsAgain) {
  const Matrix Z = counts(6, 9, 12, 3);
  Stream stream = test_stream(6);
  const std::shared_ptr<const Loss> loss = loss_of({LossKind::kPoisson, GetParam()});
  Holder holder(data::view(Z), serial_executor(), loss);
  holder.begin(3, 1);
  const DescentRequest request = request_for(random_matrix(stream, 9, 3, 0.1));
  const Moments totals = holder.answer(request);
  const std::vector<double> numbers = loss->to_numbers(totals, false);
  EXPECT_EQ(numbers.size(), loss->words(9, 3));
  const Moments again = loss->from_numbers(numbers, 9, 3, false);
  EXPECT_TRUE(again.S == totals.S && again.T == totals.T);
  EXPECT_EQ(loss->value(again, request, {}), loss->value(totals, request, {}));
  EXPECT_EQ(loss->value(loss->from_numbers(loss->to_numbers(totals, true), 9, 3, true), request, {}),
            loss->value(totals, request, {}));
}

TEST_P(PoissonTest, ColumnsByTheirNonzerosGiveTheBytesOfDenseOnes) {
  Matrix Z = counts(7, 40, 150, 3);
  Stream stream = test_stream(7);
  for (Index t = 0; t < Z.size(); ++t) Z.data()[t] = stream.uniform() < 0.12 ? Z.data()[t] + 1 : 0;
  Z.col(5).setZero();
  const Matrix X = random_matrix(stream, 40, 3, 0.1);
  const data::SharedColumns dense = data::view(Z);
  const data::SharedColumns sparse = data::without_zeros(dense);
  ASSERT_NE(dense, sparse);
  const std::unique_ptr<LossAtX> at = loss_of({LossKind::kPoisson, GetParam()})->at({X, Effort::kFromNothing});
  std::vector<double> constants(150);
  Moments totals[2];
  Matrix Y[2] = {Matrix::Zero(3, 150), Matrix::Zero(3, 150)};
  for (int i = 0; i < 2; ++i)
    at->solve({i == 0 ? *dense : *sparse, {0, 150}, 1, constants.data()}, Y[i], Y[i], totals[i]);
  EXPECT_TRUE(Y[0] == Y[1]);
  EXPECT_TRUE(totals[0].S == totals[1].S && totals[0].T == totals[1].T);
  EXPECT_EQ(totals[0].divergence, totals[1].divergence);
  EXPECT_EQ(Y[0].col(5).sum(), 0);
}

TEST_P(PoissonTest, TheLossOfEveryIterationIsThatOfItsXAndY) {
  const Matrix Z = counts(8, 30, 60, 4);
  auto made = Factorization::create(data::view(Z), poisson_options(4, GetParam(), 30), Seed::from_number(3));
  double before = std::numeric_limits<double>::infinity();
  while (!made->done()) {
    ASSERT_TRUE(made->step());
    const double exact = naive_divergence(Z, made->X(), made->Y());
    EXPECT_NEAR(made->divergence(), exact, 1e-9 * exact);
    EXPECT_NEAR(made->relative_error(), (Z - made->X() * made->Y()).norm() / Z.norm(), 1e-9);
    // After the first rounds, which are always accepted, it never rises.
    if (made->iterations() > 6) {
      EXPECT_LE(made->divergence(), before * (1 + 1e-9));
    }
    before = made->divergence();
  }
}

TEST_P(PoissonTest, ReachesInFewRoundsWhatMultiplicativeUpdatesReachInThousands) {
  const Matrix Z = counts(9, 40, 120, 5, 60);
  std::vector<double> ours;
  std::vector<double> theirs;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    ours.push_back(run(Z, poisson_options(5, GetParam(), GetParam() == Curvature::kFull ? 50 : 80), seed).divergence());
    Matrix X = common_start(Start::kRandom, 40, 5, Seed::from_number(seed));
    const Eigen::VectorXd totals = Z.rowwise().sum();
    X = loss_of({LossKind::kPoisson, GetParam()})->first_X(X, {totals.data(), 40});
    theirs.push_back(multiplicative(Z, X, 2000));
  }
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  EXPECT_LE(ours[1], 1.005 * theirs[1]);
}

TEST_P(PoissonTest, ThreadsChangeNoByte) {
  const Matrix Z = counts(10, 700, 800, 4);  // four leaves
  TestThreads threads;
  const Factorization one = run(Z, poisson_options(4, GetParam(), 8));
  const Factorization many = run(Z, poisson_options(4, GetParam(), 8), 1, threads);
  EXPECT_TRUE(one.X() == many.X());
  EXPECT_TRUE(one.Y() == many.Y());
}

TEST_P(PoissonTest, ASavedRunGoesOnToTheSameBytes) {
  const Matrix Z = counts(11, 25, 40, 3);
  FactorizeOptions options = poisson_options(3, GetParam(), 40);
  options.starts = 2;
  const Factorization whole = run(Z, options);
  for (const int at : {1, 4, 9, 14, 31}) {
    auto first = Factorization::create(data::view(Z), options, Seed::from_number(1));
    for (int n = 0; n < at; ++n) ASSERT_TRUE(first->step());
    auto second = Factorization::create(data::view(Z), options, Seed::from_number(1));
    ASSERT_TRUE(second->load(first->save()));
    while (!second->done()) ASSERT_TRUE(second->step());
    EXPECT_TRUE(second->X() == whole.X() && second->Y() == whole.Y()) << at;
  }
}

TEST_P(PoissonTest, RankOneIsTheProductOfTheSums) {
  const Matrix Z = counts(12, 12, 15, 3);
  const Factorization fit = run(Z, poisson_options(1, GetParam(), 20));
  const Matrix expected = Z.rowwise().sum() * Z.colwise().sum() / Z.sum();
  EXPECT_LE((fit.X() * fit.Y() - expected).norm(), 1e-5 * expected.norm());
}

TEST_P(PoissonTest, TakesColumnsAndRowsOfZerosAndASingleColumn) {
  Matrix Z = counts(13, 12, 15, 2);
  Z.row(3).setZero();
  Z.col(4).setZero();
  const Factorization fit = run(Z, poisson_options(2, GetParam(), 20));
  EXPECT_TRUE(fit.X().allFinite());
  EXPECT_EQ(fit.Y().col(4).sum(), 0);
  EXPECT_LE(fit.X().row(3).maxCoeff(), 2e-6 * fit.X().maxCoeff());
  const Matrix one = Z.col(0);
  EXPECT_LE(run(one, poisson_options(1, GetParam(), 10)).divergence(), 1e-5 * one.sum()) << "what the floor leaves";
}

TEST(Poisson, CoordinatesAreTheBestOnesForAGivenX) {
  for (const Index rank : {4, 40}) {
    const Matrix Z = counts(14, 60, 20, 4);
    Stream stream = test_stream(14);
    const Matrix X = random_matrix(stream, 60, rank);
    const Matrix Y = best_coordinates(X, data::view(Z), {LossKind::kPoisson});
    // Where y is not zero the derivative is; where it is, the derivative points upwards.
    const Matrix derivative =
        (X.colwise().sum().transpose() * Matrix::Ones(1, 20)) - X.transpose() * (Z.array() / (X * Y).array()).matrix();
    for (Index t = 0; t < Y.size(); ++t) {
      EXPECT_GE(derivative.data()[t], -0.05);
      EXPECT_LE(std::abs(derivative.data()[t] * Y.data()[t]), 1e-2) << rank;
    }
  }
}

TEST(Poisson, TheCurvatureIsChosenByItsWords) {
  EXPECT_EQ(automatic_curvature(96, 20), Curvature::kFull);
  EXPECT_EQ(automatic_curvature(96, 31), Curvature::kScaled);
  EXPECT_EQ(automatic_curvature(20000, 20), Curvature::kScaled);
  EXPECT_EQ(usual_rounds(LossKind::kPoisson, Curvature::kScaled), 80);
}

// --- kernels --------------------------------------------------------------------------------------------------------

std::vector<const internal::ColumnLanes*> all_lanes() {
  std::vector<const internal::ColumnLanes*> all{internal::baseline_lanes()};
  if (lanes_available(Lanes::kAvx2)) all.push_back(internal::avx2_lanes());
  if (lanes_available(Lanes::kAvx512)) all.push_back(internal::avx512_lanes());
  return all;
}

TEST(PoissonLanes, TheDivergenceIsThatOfTheMathematicalLibraryAndTheSameOnEveryPath) {
  Stream stream = test_stream(20);
  constexpr long kCount = 64;
  std::vector<double> z(kCount);
  std::vector<double> r(kCount, 1);
  double expected = 0;
  for (long i = 0; i < kCount - 5; ++i) {
    const auto at = static_cast<std::size_t>(i);
    z[at] = i % 7 == 0 ? 0 : std::exp(40 * stream.uniform() - 20);
    r[at] = std::exp(40 * stream.uniform() - 20);
    if (z[at] > 0) expected += z[at] * std::log(z[at] / r[at]) - z[at];
  }
  const double got = all_lanes().front()->divergence(kCount, z.data(), r.data());
  EXPECT_NEAR(got, expected, 1e-12 * std::abs(expected));
  for (const internal::ColumnLanes* lanes : all_lanes()) EXPECT_EQ(lanes->divergence(kCount, z.data(), r.data()), got);
}

TEST(PoissonLanes, WholeRunsAreTheSameOnEveryPath) {
  Stream stream = test_stream(21);
  constexpr long kRank = 5;
  constexpr long kCount = 24;
  std::vector<double> P(kRank * kCount);
  std::vector<double> z(kCount);
  for (double& x : P) x = stream.uniform();
  for (double& x : z) x = 9 * stream.uniform();
  const std::vector<double> s(kRank, 14);
  const std::vector<double> least(8, 1e-9);
  std::vector<std::vector<double>> results;
  for (const internal::ColumnLanes* lanes : all_lanes()) {
    std::vector<double> y(kRank, 0.7);
    std::vector<double> r(kCount);
    std::vector<double> q(kRank);
    std::vector<double> once(kCount);
    std::vector<double> twice(kCount);
    lanes->combine(kRank, kCount, P.data(), kCount, y.data(), r.data());
    lanes->ratios(kCount, z.data(), r.data(), once.data(), twice.data());
    lanes->correlate(kRank, kCount, P.data(), kCount, once.data(), q.data());
    lanes->coordinates({kRank, kCount, P.data(), kCount, z.data(), s.data(), least.data(), 0.1, nullptr}, r.data(),
                       y.data());
    std::vector<double> H(kRank * 8);
    for (long k = 0; k < kRank; ++k) {
      for (long j = 0; j < kRank; ++j)
        H[static_cast<std::size_t>(k * 8 + j)] = (j == k ? 3 : 1) + P[static_cast<std::size_t>(j * k)];
    }
    std::vector<double> g(8);
    std::vector<double> d(8);
    for (std::size_t k = 0; k < kRank; ++k) g[k] = q[k] - 5;
    const std::vector<double> bounds(8, -0.4);
    lanes->bounded({kRank, 1, H.data(), bounds.data(), 20, 1e-12}, g.data(), d.data());
    for (std::size_t k = 0; k < kRank; ++k) {  // the conditions of a minimum
      EXPECT_GE(d[k], -0.4);
      EXPECT_GE(g[k], -1e-4);
      if (d[k] > -0.4) {
        EXPECT_NEAR(g[k], 0, 1e-4);
      }
    }
    std::vector<double>& all = results.emplace_back(r);
    for (const std::vector<double>* part : {&y, &q, &once, &twice, &g, &d})
      all.insert(all.end(), part->begin(), part->end());
  }
  for (const std::vector<double>& one : results) EXPECT_EQ(one, results.front());
}

}  // namespace
}  // namespace ppdnmf::nmf
