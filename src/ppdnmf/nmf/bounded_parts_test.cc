#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf {
namespace {

constexpr double kUnit = 0x1p-20;

Matrix unit_factor(Stream& stream, Index rows, Index rank) {
  Matrix X = random_matrix(stream, rows, rank);
  for (Index k = 0; k < rank; ++k) X.col(k).normalize();
  return X;
}

double norm_of(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

std::vector<double> difference(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t t = 0; t < a.size(); ++t) a[t] -= b[t];
  return a;
}

TEST(BoundedParts, OneColumnMoreAddsItsOwnPartAndNoMoreThanTheBound) {
  Stream stream = test_stream(1);
  const Matrix Z = 5 * random_matrix(stream, 30, 120);
  const Bounds bounds{0.7, 0.5, kUnit};  // so small that weights are needed
  const double rounding = kUnit * std::sqrt(30 * 4 + 10) / 2;
  std::vector<Matrix> factors;
  for (int n = 0; n < 4; ++n) factors.push_back(unit_factor(stream, 30, 4));
  for (const Index left_out : {0, 17, 119}) {
    Matrix rest(30, 119);
    rest << Z.leftCols(left_out), Z.rightCols(119 - left_out);
    const auto all = dense_holder(Z);
    const auto others = dense_holder(rest);
    const auto alone = dense_holder(Z.col(left_out));
    for (Holder* columns : {all.get(), others.get(), alone.get()}) columns->begin(4, 1);
    for (const Matrix& X : factors) {
      const BoundedMoments whole = all->bounded_answer(X, bounds);
      const BoundedMoments part = alone->bounded_answer(X, bounds);
      EXPECT_EQ(difference(whole.values, others->bounded_answer(X, bounds).values), part.values);
      EXPECT_LE(norm_of(part.values), bounds.bound + rounding);
      EXPECT_GE(norm_of(part.values), bounds.bound - rounding);
      EXPECT_GT(whole.touched, 100);
      EXPECT_LT(whole.least_weight, 0.5);
    }
  }
}

TEST(BoundedParts, ColumnsAndFactorsOfLengthOneNeedNoWeights) {
  Stream stream = test_stream(2);
  for (const ColumnNorm norm : {ColumnNorm::kL1, ColumnNorm::kL2}) {
    Matrix Z = random_matrix(stream, 40, 200);
    Z.array() *= (random_matrix(stream, 40, 200).array() > 0.6).cast<double>();  // corners of the cone, too
    const Matrix X = unit_factor(stream, 40, 6);
    Z.leftCols(6) = 1e9 * X;
    const auto columns = unit_holder(Z, norm);
    columns->begin(6, 1);
    const double t_weight = 0.75;
    const Bounds bounds{std::sqrt(1 + t_weight * t_weight) * (1 + 1e-9), t_weight, kUnit};
    for (int n = 0; n < 3; ++n) EXPECT_EQ(columns->bounded_answer(X, bounds).touched, 0);
  }
}

TEST(BoundedParts, PartsAreMultiplesOfTheUnitAndAddUpToTheMoments) {
  Stream stream = test_stream(3);
  const Matrix Z = random_matrix(stream, 20, 50, 0, 0.2);
  const Matrix X = unit_factor(stream, 20, 3);
  const auto columns = dense_holder(Z);
  columns->begin(3, 1);
  const BoundedMoments m = columns->bounded_answer(X, {100, 0.5, kUnit});
  EXPECT_EQ(m.touched, 0);
  const Matrix Y = columns->Y();
  EXPECT_NEAR(m.squared_error, (Z - X * Y).squaredNorm(), 1e-10);
  const Matrix S = Z * Y.transpose();
  const Matrix T = Y * Y.transpose();
  ASSERT_EQ(m.values.size(), 66U);
  for (const double value : m.values) EXPECT_EQ(std::floor(value / kUnit), value / kUnit);
  for (Index t = 0; t < 60; ++t) EXPECT_NEAR(m.values[static_cast<std::size_t>(t)], S.data()[t], 50 * kUnit);
  std::size_t next = 60;
  for (Index k = 0; k < 3; ++k) {
    for (Index j = 0; j <= k; ++j) EXPECT_NEAR(m.values[next++], 0.5 * T(j, k), 50 * kUnit);
  }
}

TEST(BoundedParts, UnitColumnsGiveYInUnitsOfTheData) {
  Stream stream = test_stream(4);
  const Matrix X = unit_factor(stream, 25, 3);
  Matrix Z = X * random_matrix(stream, 3, 10, 1, 1000);
  Z.col(4).setZero();
  Z.col(5) *= 1e200;  // its square is not a number
  for (const ColumnNorm norm : {ColumnNorm::kL1, ColumnNorm::kL2}) {
    const auto columns = unit_holder(Z, norm);
    columns->begin(3, 1);
    DescentRequest request;
    request.X = X;
    request.restart = request.measure_only = request.thorough = true;
    (void)columns->answer(request);
    const Matrix Y = columns->Y();
    EXPECT_EQ(Y.col(4).maxCoeff(), 0);
    for (Index m = 0; m < 10; ++m)
      EXPECT_LT((X * Y.col(m) - Z.col(m)).cwiseAbs().maxCoeff(), 1e-6 * std::max(1e-300, Z.col(m).maxCoeff())) << m;
  }
}

// Sums of rounded parts are exact, so leaves cannot change them either.
TEST(BoundedParts, LeavesThreadsAndZerosChangeNothing) {
  Stream stream = test_stream(5);
  const Bounds bounds{0.7, 0.5, kUnit};
  for (const double zeros : {0.0, 0.9}) {
    Matrix Z = random_matrix(stream, 1200, 400);
    Z.array() *= (random_matrix(stream, 1200, 400).array() >= zeros).cast<double>();
    ASSERT_GT(data::leaves(1200, 400).size(), 1U);
    TestThreads threads;
    Holder one(data::unit_columns(data::view(Z), ColumnNorm::kL1));
    Holder all(data::unit_columns(data::view(Z), ColumnNorm::kL1), threads);
    std::vector<std::unique_ptr<Holder>> parts;
    for (const Index first : {0, 100, 200, 300})
      parts.push_back(std::make_unique<Holder>(
          data::unit_columns(data::view(Z, {first, 100}), ColumnNorm::kL1)));
    one.begin(3, 1);
    all.begin(3, 1);
    for (const auto& part : parts) part->begin(3, 1);
    for (int n = 0; n < 2; ++n) {
      const Matrix X = unit_factor(stream, 1200, 3);
      const BoundedMoments whole = one.bounded_answer(X, bounds);
      EXPECT_EQ(whole.values, all.bounded_answer(X, bounds).values);
      std::vector<double> sum(whole.values.size(), 0);
      for (const auto& part : parts) {
        const BoundedMoments some = part->bounded_answer(X, bounds);
        for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += some.values[t];
      }
      EXPECT_EQ(whole.values, sum);
    }
    EXPECT_TRUE(one.Y() == all.Y());
  }
}

}  // namespace
}  // namespace ppdnmf::nmf
