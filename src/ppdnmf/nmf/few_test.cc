// LossOptions::few: columns that are made of few components.
#include <ppdnmf/nmf/loss.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/matching.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf {
namespace {

constexpr double kFew = 0.002;
constexpr double kScale = 4;

LossOptions options_with(double few) {
  LossOptions options;
  options.kind = LossKind::kPoisson;
  options.curvature = Curvature::kScaled;
  options.few = few;
  return options;
}

// Columns of two components each, of `rank`, which have much in common; noise as large as that of counts.
struct Made {
  Matrix X, Z;
};
Made made(std::uint64_t seed, Index rank, Index columns) {
  Stream stream = test_stream(seed);
  Made out;
  out.X =
      random_matrix(stream, 40, rank).array().pow(6) + 0.3 * random_matrix(stream, 40, 1).replicate(1, rank).array();
  for (Index k = 0; k < rank; ++k) out.X.col(k) /= out.X.col(k).sum();
  Matrix Y = Matrix::Zero(rank, columns);
  const Matrix parts = random_matrix(stream, 2, columns, 0.2);
  for (Index j = 0; j < columns; ++j) {
    Y(j % rank, j) += 1000 * parts(0, j);
    Y((j / rank + 1 + j) % rank, j) += 1000 * parts(1, j);
  }
  const Matrix R = out.X * Y;
  out.Z = (R.array() + random_matrix(stream, 40, columns, -1.7, 1.7).array() * R.array().sqrt()).round().cwiseMax(0);
  return out;
}

struct Fit {
  Matrix X, Y;
  std::vector<double> values;  // of the accepted X, round by round
  double free_value = 0;
};
Fit fit(const data::SharedColumns& Z, Index rank, double few, int rounds) {
  const std::shared_ptr<const Loss> loss = loss_of(options_with(few));
  Holder holder(Z, serial_executor(), loss);
  holder.begin(rank, kScale);
  DescentOptions options;
  options.rounds = rounds;
  Stream stream = test_stream(77);
  Matrix start = random_matrix(stream, Z->rows(), rank);
  Descent descent(
      options, [&](int) { return start; }, loss);
  EXPECT_TRUE(descent.begin(holder.common()));
  Fit out;
  while (!descent.done()) {
    EXPECT_TRUE(descent.absorb(holder.answer(descent.request())));
    out.values.push_back(descent.present_value());
  }
  holder.settle(descent.last_accepted());
  out.X = descent.X();
  out.Y = holder.Y();
  out.free_value = descent.free_value();
  return out;
}

// Components of a column above a hundredth of it, on average.
double active(const Fit& fit) {
  const Matrix parts = fit.X.colwise().sum().transpose().asDiagonal() * fit.Y;
  double count = 0;
  for (Index j = 0; j < parts.cols(); ++j)
    count += static_cast<double>((parts.col(j).array() > 0.01 * parts.col(j).sum()).count());
  return count / static_cast<double>(parts.cols());
}

double smallest_cosine(const Matrix& found, const Matrix& truth) {
  const Matrix cosine = cosines(truth, found);
  const std::vector<Index> pairs = best_pairs(cosine);
  double least = 1;
  for (Index k = 0; k < truth.cols(); ++k) least = std::min(least, cosine(k, pairs[static_cast<std::size_t>(k)]));
  return least;
}

TEST(Few, WhatIsMinimisedIsTheDivergenceAndWhatComponentsOfColumnsCost) {
  const Made problem = made(1, 5, 30);
  Stream stream = test_stream(2);
  const Matrix X = random_matrix(stream, 40, 5, 0.01);
  Holder holder(data::view(problem.Z), serial_executor(), loss_of(options_with(kFew)));
  holder.begin(5, kScale);
  DescentRequest request;
  request.X = X;
  request.restart = request.few = true;
  const Moments totals = holder.answer(request);
  const Matrix Y = holder.Y();
  const Matrix R = X * Y;
  double value = 0;
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(5);
  for (Index j = 0; j < 30; ++j) {
    for (Index l = 0; l < 40; ++l) {
      const double z = problem.Z(l, j);
      value += (z > 0 ? z * std::log(z / R(l, j)) : 0) - z + R(l, j);
    }
    const double t = problem.Z.col(j).sum();
    for (Index k = 0; k < 5; ++k) {
      const double c = X.col(k).sum() * Y(k, j);
      value += kFew * t * std::log(1 + c / (kFewFrom * t));
      sums(k) += Y(k, j) * (1 + kFew * t / (c + kFewFrom * t));
    }
  }
  EXPECT_NEAR(kScale * totals.divergence, value, 1e-9 * problem.Z.sum());
  for (Index k = 0; k < 5; ++k) EXPECT_NEAR(kScale * totals.S(k, 40), sums(k), 1e-9 * sums(k));
}

TEST(Few, NoRoundRaisesWhatIsMinimisedButTheOneWithWhichItBegins) {
  const Made problem = made(3, 6, 200);
  const Fit with = fit(data::view(problem.Z), 6, kFew, 45);
  const auto free_rounds = static_cast<std::size_t>(loss_of(options_with(kFew))->course().free_rounds);
  for (std::size_t n = 7; n < with.values.size(); ++n) {
    if (n == free_rounds) continue;
    EXPECT_LE(with.values[n], with.values[n - 1]) << n;
  }
  EXPECT_GT(with.values[free_rounds], with.values[free_rounds - 1]);
  EXPECT_EQ(with.free_value, with.values[free_rounds - 1]);
}

TEST(Few, ColumnsOfTwoComponentsAreFoundToBeSoAndTheirComponentsComeOutUnmixed) {
  const Made problem = made(4, 6, 300);
  const Fit without = fit(data::view(problem.Z), 6, 0, 45);
  const Fit with = fit(data::view(problem.Z), 6, kFew, 45);
  EXPECT_LT(active(with), 2.6);
  EXPECT_GT(active(without), active(with) + 0.7);
  EXPECT_GT(smallest_cosine(with.X, problem.X), 0.99);
  EXPECT_GT(smallest_cosine(with.X, problem.X), smallest_cosine(without.X, problem.X));
}

TEST(Few, AComponentThatNoColumnNeedsEndsInBothFactors) {
  const Made problem = made(5, 2, 150);
  const Fit with = fit(data::view(problem.Z), 6, 5 * kFew, 120);
  Index ended = 0;
  for (Index k = 0; k < 6; ++k) {
    if (with.X.col(k).maxCoeff() > 0) continue;
    ++ended;
    EXPECT_EQ(with.Y.row(k).maxCoeff(), 0);
  }
  EXPECT_GE(ended, 1);
  EXPECT_TRUE(with.X.allFinite() && with.Y.allFinite());
}

TEST(Few, ColumnsByTheirNonzerosGiveTheBytesOfDenseOnes) {
  const Made problem = made(6, 4, 90);
  const data::Nonzeros nonzeros = data::nonzeros_of(*data::view(problem.Z));
  const Fit dense = fit(data::view(problem.Z), 4, kFew, 30);
  const Fit sparse = fit(data::view(nonzeros), 4, kFew, 30);
  EXPECT_TRUE(dense.X == sparse.X);
  EXPECT_TRUE(dense.Y == sparse.Y);
}

}  // namespace
}  // namespace ppdnmf::nmf
