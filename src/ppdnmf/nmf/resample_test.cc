#include <ppdnmf/nmf/resample.h>

#include <gtest/gtest.h>

#include <cmath>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/nmf/holder.h>

namespace ppdnmf::nmf {
namespace {

Matrix dense(const data::SharedColumns& columns) {
  Matrix Z(columns->rows(), columns->count());
  data::walk(*columns, {0, columns->count()}, [&](const data::Block& block, const data::Range& range) {
    std::vector<double> space;
    for (Index m = 0; m < block.count; ++m) {
      const double* const z = data::dense_column(block, m, space);
      for (Index l = 0; l < Z.rows(); ++l) Z(l, range.first + m) = z[l];
    }
  });
  return Z;
}

Matrix counts(Index rows, Index columns) {
  Matrix Z(rows, columns);
  Stream stream(Seed::from_number(3), 'z');
  for (Index t = 0; t < Z.size(); ++t) Z.data()[t] = static_cast<double>(stream.below(60));
  return Z;
}

Matrix drawn(const Matrix& Z, std::uint64_t seed, LossKind loss = LossKind::kPoisson) {
  return dense(resampled(*data::view(Z), loss, Seed::from_number(seed), serial_executor()));
}

TEST(DrawPoisson, HasTheMeanAndTheVarianceOfItsDistribution) {
  for (const double mean : {0.1, 1.0, 7.5, 31.9, 32.0, 500.0}) {
    Stream stream(Seed::from_number(1), 'p');
    constexpr int kDraws = 40000;
    double sum = 0;
    double squares = 0;
    for (int n = 0; n < kDraws; ++n) {
      const double x = draw_poisson(mean, stream);
      EXPECT_EQ(x, std::floor(x));
      sum += x;
      squares += (x - mean) * (x - mean);
    }
    EXPECT_NEAR(sum / kDraws, mean, 5 * std::sqrt(mean / kDraws)) << mean;
    EXPECT_NEAR(squares / kDraws / mean, 1, 0.06) << mean;
  }
}

TEST(DrawPoisson, GivesNothingOfNothing) {
  Stream stream(Seed::from_number(1), 'p');
  EXPECT_EQ(draw_poisson(0, stream), 0);
}

TEST(DrawPoisson, CountsNothingAsOftenAsItShould) {
  Stream stream(Seed::from_number(2), 'p');
  constexpr int kDraws = 40000;
  int none = 0;
  for (int n = 0; n < kDraws; ++n) none += draw_poisson(1, stream) == 0 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(none) / kDraws, std::exp(-1), 0.01);
}

TEST(Resampled, FollowsFromTheSeedAndTheColumnAlone) {
  const Matrix Z = counts(12, 9);
  const Matrix all = drawn(Z, 5);
  EXPECT_EQ(all, drawn(Z, 5));
  EXPECT_NE(all, drawn(Z, 6));
  // In another order, and divided among holders.
  EXPECT_EQ(Matrix(drawn(Z.rowwise().reverse(), 5)), Matrix(all.rowwise().reverse()));
  EXPECT_EQ(drawn(Z.middleCols(4, 3), 5), all.middleCols(4, 3));
}

TEST(Resampled, DrawsWholeCountsAndKeepsZeros) {
  Matrix Z = counts(12, 9);
  Z.row(3).setZero();
  const Matrix out = drawn(Z, 1);
  EXPECT_TRUE((out.array() == out.array().floor()).all());
  EXPECT_EQ(out.row(3).sum(), 0);
  EXPECT_NEAR(out.sum() / Z.sum(), 1, 0.1);
}

TEST(Resampled, DrawsTheCountsThatDividedColumnsWere) {
  const Matrix Z = counts(12, 9);
  const data::SharedColumns divided = data::unit_columns(data::view(Z), ColumnNorm::kL1);
  const Matrix out = dense(resampled(*divided, LossKind::kPoisson, Seed::from_number(1), serial_executor()));
  const Matrix back = out * Z.colwise().sum().asDiagonal();
  EXPECT_LT((back.array() - back.array().round()).abs().maxCoeff(), 1e-9);
  EXPECT_NEAR(back.sum() / Z.sum(), 1, 0.1);
}

TEST(Resampled, CountsWholeColumnsUnderSquares) {
  const Matrix Z = counts(6, 400).array() + 1;
  const Matrix out = drawn(Z, 1, LossKind::kSquares);
  double sum = 0;
  for (Index m = 0; m < Z.cols(); ++m) {
    const double weight = std::pow(out(0, m) / Z(0, m), 2);
    EXPECT_NEAR(weight, std::round(weight), 1e-9);
    EXPECT_LT((out.col(m) - std::sqrt(weight) * Z.col(m)).norm(), 1e-9 * Z.col(m).norm());
    sum += weight;
  }
  EXPECT_NEAR(sum / static_cast<double>(Z.cols()), 1, 0.2);
}

}  // namespace
}  // namespace ppdnmf::nmf
