// What a holder's columns add to the opening of second moments, and to rounds in a span.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <cstdint>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/internal/rounded_columns.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf {
namespace {

constexpr int kBits = 13;
constexpr double kLimit = 0x1p26;
constexpr double kPartUnit = 0x1p-20;

std::vector<double> opened(const Matrix& Z, int bits = kBits) {
  const auto holder = dense_holder(Z);
  holder->begin(1, 1);
  return holder->rounded_second_moments(bits).values;
}

Matrix unit_columns(Matrix Z) {
  for (Index m = 0; m < Z.cols(); ++m) Z.col(m).normalize();
  return Z;
}

// Sum of squares of a part, off the diagonal twice, in integers.
__extension__ using Wide = unsigned __int128;
Wide squared_part(const std::vector<double>& triangle) {
  Wide sum = 0;
  std::size_t t = 0;
  for (std::size_t k = 0; t < triangle.size(); ++k) {
    for (std::size_t j = 0; j <= k; ++j, ++t) {
      const auto value = static_cast<std::uint64_t>(triangle[t]);
      sum += Wide{value} * value * (j == k ? 1 : 2);
    }
  }
  return sum;
}

TEST(SecondMomentParts, NoColumnAddsMoreThanTheBoundWhateverItIs) {
  Stream stream = test_stream(1);
  std::vector<Matrix> columns;
  for (const Index rows : {1, 2, 3, 7, 50, 300}) {
    columns.emplace_back(Matrix::Constant(rows, 1, 1 / std::sqrt(static_cast<double>(rows))));
    columns.emplace_back(Matrix::Constant(rows, 1, 1.0));
    columns.emplace_back(Matrix::Constant(rows, 1, 1e200));
    columns.emplace_back(Matrix::Constant(rows, 1, 1e-200));
    columns.emplace_back(Matrix::Constant(rows, 1, 0.5 / 8192));  // halves of a step
    columns.emplace_back(Matrix::Zero(rows, 1));
    for (int n = 0; n < 40; ++n) {
      columns.push_back(unit_columns(random_matrix(stream, rows, 1, 0.001, 1)));
      columns.emplace_back(columns.back() * (1 + 1e-15 * n));
      columns.emplace_back(columns.back() * 1.01);
    }
  }
  for (const Matrix& z : columns) {
    for (const int bits : {1, 6, kBits}) {
      const Wide bound = Wide{1} << (4 * bits);
      EXPECT_TRUE(squared_part(opened(z, bits)) <= bound) << z.rows() << ' ' << z(0) << ' ' << bits;
    }
  }
}

TEST(SecondMomentParts, PartsAreIntegersNearTheMomentsAndAddUpExactly) {
  Stream stream = test_stream(2);
  const Matrix Z = unit_columns(random_matrix(stream, 40, 90));
  const Matrix G = Z * Z.transpose();
  const std::vector<double> all = opened(Z);
  std::vector<double> sum(all.size(), 0);
  for (Index m = 0; m < Z.cols(); ++m) {
    std::vector<double> z(40);
    EXPECT_FALSE(internal::round_column(&Z(0, m), 40, 1, kBits, z.data()));
    std::size_t t = 0;
    for (std::size_t k = 0; k < 40; ++k) {
      EXPECT_EQ(z[k], std::floor(z[k]));
      EXPECT_NEAR(z[k], 8192 * Z(static_cast<Index>(k), m), 2);
      for (std::size_t j = 0; j <= k; ++j) sum[t++] += z[j] * z[k];
    }
  }
  EXPECT_EQ(all, sum);
  std::size_t t = 0;
  double mean = 0;
  for (Index k = 0; k < 40; ++k) {
    for (Index j = 0; j <= k; ++j) {
      EXPECT_NEAR(all[t] / kLimit, G(j, k), 1e-2);
      mean += all[t++] / kLimit - G(j, k);
    }
  }
  EXPECT_NEAR(mean / static_cast<double>(all.size()), 0, 2e-3);  // nothing is always rounded down
}

TEST(SecondMomentParts, OneColumnMoreAddsItsOwnPartAndNothingElse) {
  Stream stream = test_stream(3);
  const Matrix Z = 3 * random_matrix(stream, 20, 60);
  std::vector<double> rest = opened(Z.leftCols(59));
  const std::vector<double> own = opened(Z.rightCols(1));
  for (std::size_t t = 0; t < rest.size(); ++t) rest[t] += own[t];
  EXPECT_EQ(rest, opened(Z));
}

TEST(SecondMomentParts, ThreadsZerosAndScalesChangeNothing) {
  Stream stream = test_stream(4);
  for (const double zeros : {0.0, 0.9}) {
    Matrix Z = random_matrix(stream, 300, 150);
    Z.array() *= (random_matrix(stream, 300, 150).array() >= zeros).cast<double>();
    TestThreads threads;
    Holder one(data::unit_columns(data::view(Z), ColumnNorm::kL2));
    Holder all(data::unit_columns(data::view(Z), ColumnNorm::kL2), threads);
    for (Holder* holder : {&one, &all}) holder->begin(2, 1);
    const RoundedSecondMoments part = one.rounded_second_moments(kBits);
    EXPECT_EQ(part.values, all.rounded_second_moments(kBits).values);
    EXPECT_EQ(part.shortened, 0);
    Matrix scaled = 4 * unit_columns(Z);
    Holder four(data::view(scaled));
    four.begin(2, 4);
    EXPECT_EQ(four.rounded_second_moments(kBits).shortened, 0);
  }
  const Matrix two = Matrix::Constant(5, 7, 2.0);
  Holder longer(data::view(two));
  longer.begin(1, 1);
  EXPECT_EQ(longer.rounded_second_moments(kBits).shortened, 7);
}

struct SpanAndX {
  Matrix U, X;
};

SpanAndX random_span(Stream& stream, Index rows, Index rank) {
  const Matrix X = unit_columns(random_matrix(stream, rows, rank));
  const Matrix other = random_matrix(stream, rows, rank, -1, 1);
  return {Eigen::HouseholderQR<Matrix>(other).householderQ() * Matrix::Identity(rows, rank), X};
}

double length_of_part(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

TEST(SecondMomentParts, InASpanAColumnAddsItsOwnPartWithinTheBound) {
  Stream stream = test_stream(5);
  const Matrix Z = 5 * random_matrix(stream, 30, 60);
  const Bounds bounds{0.7, 1, kPartUnit};  // so small that weights are needed
  const double rounding = kPartUnit * std::sqrt(16 + 10) / 2;
  const auto all = dense_holder(Z);
  const auto others = dense_holder(Z.leftCols(59));
  const auto alone = dense_holder(Z.rightCols(1));
  for (Holder* holder : {all.get(), others.get(), alone.get()}) holder->begin(4, 1);
  for (int n = 0; n < 4; ++n) {
    const auto [U, X] = random_span(stream, 30, 4);
    const BoundedMoments part = alone->bounded_answer_in(U, X, bounds);
    EXPECT_LE(length_of_part(part.values), bounds.bound + rounding);
    EXPECT_GE(length_of_part(part.values), bounds.bound - rounding);
    std::vector<double> sum = others->bounded_answer_in(U, X, bounds).values;
    for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += part.values[t];
    EXPECT_EQ(sum, all->bounded_answer_in(U, X, bounds).values);
  }
}

TEST(SecondMomentParts, InASpanUnitColumnsNeedNoWeightsAndPartsAreThoseOfTheMoments) {
  Stream stream = test_stream(6);
  const Matrix Z = unit_columns(random_matrix(stream, 25, 80));
  const auto holder = dense_holder(Z);
  holder->begin(3, 1);
  const auto [U, X] = random_span(stream, 25, 3);
  const BoundedMoments m = holder->bounded_answer_in(U, X, {std::sqrt(2) * (1 + 1e-9), 1, kPartUnit});
  EXPECT_EQ(m.touched, 0);
  const Matrix Y = holder->Y();
  const Matrix S = U.transpose() * Z * Y.transpose();
  const Matrix T = Y * Y.transpose();
  ASSERT_EQ(m.values.size(), 15U);
  for (const double value : m.values) EXPECT_EQ(std::floor(value / kPartUnit), value / kPartUnit);
  for (Index t = 0; t < 9; ++t) EXPECT_NEAR(m.values[static_cast<std::size_t>(t)], S.data()[t], 80 * kPartUnit);
  std::size_t next = 9;
  for (Index k = 0; k < 3; ++k) {
    for (Index j = 0; j <= k; ++j) EXPECT_NEAR(m.values[next++], T(j, k), 80 * kPartUnit);
  }
}

TEST(SecondMomentParts, InASpanLeavesThreadsAndZerosChangeNothing) {
  Stream stream = test_stream(7);
  const Bounds bounds{0.7, 1, kPartUnit};
  for (const double zeros : {0.0, 0.9}) {
    Matrix Z = random_matrix(stream, 1200, 400);
    Z.array() *= (random_matrix(stream, 1200, 400).array() >= zeros).cast<double>();
    ASSERT_GT(data::leaves(1200, 400).size(), 1U);
    TestThreads threads;
    Holder one(data::unit_columns(data::view(Z), ColumnNorm::kL2));
    Holder all(data::unit_columns(data::view(Z), ColumnNorm::kL2), threads);
    Holder left(data::unit_columns(data::view(Z, {0, 130}), ColumnNorm::kL2));
    Holder right(data::unit_columns(data::view(Z, {130, 270}), ColumnNorm::kL2));
    for (Holder* holder : {&one, &all, &left, &right}) holder->begin(3, 1);
    const auto [U, X] = random_span(stream, 1200, 3);
    const std::vector<double> whole = one.bounded_answer_in(U, X, bounds).values;
    EXPECT_EQ(whole, all.bounded_answer_in(U, X, bounds).values);
    std::vector<double> sum = left.bounded_answer_in(U, X, bounds).values;
    const std::vector<double> more = right.bounded_answer_in(U, X, bounds).values;
    for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += more[t];
    EXPECT_EQ(whole, sum);
  }
}

}  // namespace
}  // namespace ppdnmf::nmf
