#include <gtest/gtest.h>

#include <Eigen/QR>

#include <cmath>
#include <numeric>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/persons.h>
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
  factors.reserve(4);
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
      parts.push_back(std::make_unique<Holder>(data::unit_columns(data::view(Z, {first, 100}), ColumnNorm::kL1)));
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

// Columns 3, 13, 23, ... of 200 belong to one person, all others to a person each.
std::vector<std::string> one_with_twenty() {
  std::vector<std::string> out;
  out.reserve(200);
  for (int m = 0; m < 200; ++m) out.push_back(m % 10 == 3 ? "p" : std::to_string(m));
  return out;
}

// What is opened with the person less what is opened without.
double part_of_person(const Matrix& Z, const std::vector<Matrix>& factors, const Bounds& bounds, bool unit) {
  const std::vector<std::string> persons = one_with_twenty();
  Matrix rest(Z.rows(), 180);
  for (Index m = 0, to = 0; m < 200; ++m) {
    if (m % 10 != 3) rest.col(to++) = Z.col(m);
  }
  const auto holder_of = [&](const data::SharedColumns& columns) {
    return std::make_unique<Holder>(unit ? data::unit_columns(columns, ColumnNorm::kL2) : columns);
  };
  const auto all = holder_of(data::of_persons(data::view(Z), persons));
  const auto others = holder_of(data::view(rest));
  double largest = 0;
  for (Holder* columns : {all.get(), others.get()}) columns->begin(factors.front().cols(), 1);
  for (const Matrix& X : factors) {
    const auto without = others->bounded_answer(X, bounds).values;
    largest = std::max(largest, norm_of(difference(all->bounded_answer(X, bounds).values, without)));
  }
  return largest;
}

// All of them point where the part is longest, and the Y step is stopped early by columns of X that are nearly the
// same.
TEST(Persons, TwentyColumnsOfOnePersonAddNoMoreThanOneColumnMay) {
  Stream stream = test_stream(11);
  const double t_weight = 0.75;
  const double bound = std::sqrt(1 + t_weight * t_weight);
  for (const double unit : {kUnit, 0x1p-9}) {  // a coarse one, so that twenty roundings would show
    const double rounded = bound * (1 + 1e-9) + unit * std::sqrt(40 * 4 + 10) / 2;
    std::vector<Matrix> factors;
    for (int n = 0; n < 6; ++n) {
      factors.push_back(unit_factor(stream, 40, 4));
      factors.back().col(1) = (factors.back().col(0) + 1e-7 * random_matrix(stream, 40, 1)).normalized();
    }
    Matrix Z = random_matrix(stream, 40, 200);
    for (Index m = 3; m < 200; m += 10) Z.col(m) = 1e3 * factors[static_cast<std::size_t>(m / 10 % 6)].col(m % 4);
    const double part = part_of_person(Z, factors, {bound, t_weight, unit}, true);
    EXPECT_LE(part, rounded);
    for (Index m = 3; m < 200; m += 10) Z.col(m) = 1e3 * factors[0].col(3);
    const double alike = part_of_person(Z, factors, {bound, t_weight, unit}, true);
    EXPECT_LE(alike, rounded);
    EXPECT_GT(alike, unit == kUnit ? 0.998 * bound : 0.7 * bound) << "it takes what it may";
    // Data that were not divided at all are weighed down to the same bound.
    EXPECT_LE(part_of_person(Z, factors, {0.7, t_weight, unit}, false), 0.7 + unit * std::sqrt(40 * 4 + 10) / 2 + 1e-9);
  }
}

// The opening of second moments, and the parts in a span: the same bound for all of a person's columns together.
TEST(Persons, TwentyColumnsOfOnePersonAddNoMoreToSecondMomentsThanOneColumnMay) {
  Stream stream = test_stream(14);
  const std::vector<std::string> persons = one_with_twenty();
  for (const double zeros : {0.0, 0.9}) {  // dense columns, and columns by their nonzero entries
    Matrix Z = random_matrix(stream, 40, 200);
    Z.array() *= (random_matrix(stream, 40, 200).array() >= zeros).cast<double>();
    for (Index m = 3; m < 200; m += 10) Z.col(m) = 1e3 * Z.col(3);
    Matrix rest(40, 180);
    for (Index m = 0, to = 0; m < 200; ++m) {
      if (m % 10 != 3) rest.col(to++) = Z.col(m);
    }
    for (const bool unit : {true, false}) {
      const auto holder_of = [&](const data::SharedColumns& columns) {
        return std::make_unique<Holder>(unit ? data::unit_columns(columns, ColumnNorm::kL2) : columns);
      };
      const auto all = holder_of(data::of_persons(data::view(Z), persons));
      const auto others = holder_of(data::view(rest));
      for (Holder* columns : {all.get(), others.get()}) columns->begin(4, 1);
      for (const int bits : {5, 13}) {
        const std::vector<double> part =
            difference(all->rounded_second_moments(bits).values, others->rounded_second_moments(bits).values);
        double squares = 0;  // of the whole matrix: off the diagonal everything stands twice
        for (Index k = 0, t = 0; k < 40; ++k) {
          for (Index l = 0; l <= k; ++l, ++t) {
            const double entry = part[static_cast<std::size_t>(t)];
            squares += (l == k ? 1 : 2) * entry * entry;
          }
        }
        EXPECT_LE(std::sqrt(squares), std::ldexp(1, 2 * bits)) << bits << " " << unit << " " << zeros;
        EXPECT_GE(std::sqrt(squares), (bits == 13 ? 0.99 : 0.4) * std::ldexp(1, 2 * bits)) << bits << " " << zeros;
      }
    }
    const Matrix U =
        Eigen::HouseholderQR<Matrix>(random_matrix(stream, 40, 4)).householderQ() * Matrix::Identity(40, 4);
    const auto all = std::make_unique<Holder>(data::of_persons(data::view(Z), persons));
    const auto others = std::make_unique<Holder>(data::view(rest));
    for (Holder* columns : {all.get(), others.get()}) columns->begin(4, 1);
    const Bounds bounds{0.7, 0.75, kUnit};
    for (int n = 0; n < 3; ++n) {
      const Matrix X = unit_factor(stream, 40, 4);
      const auto without = others->bounded_answer_in(U, X, bounds).values;
      const double part = norm_of(difference(all->bounded_answer_in(U, X, bounds).values, without));
      EXPECT_LE(part, 0.7 * (1 + 1e-9) + kUnit * std::sqrt(4 * 4 + 10) / 2);
    }
  }
}

TEST(Persons, WithOneColumnEachNothingChanges) {
  Stream stream = test_stream(12);
  const Matrix Z = random_matrix(stream, 30, 50);
  const Matrix X = unit_factor(stream, 30, 3);
  std::vector<std::string> persons;
  persons.reserve(50);
  for (int m = 0; m < 50; ++m) persons.push_back(std::to_string(m));
  Holder with(data::unit_columns(data::of_persons(data::view(Z), persons), ColumnNorm::kL2));
  Holder without(data::unit_columns(data::view(Z), ColumnNorm::kL2));
  for (Holder* columns : {&with, &without}) columns->begin(3, 1);
  const Bounds bounds{1.2, 0.5, kUnit};
  EXPECT_EQ(with.bounded_answer(X, bounds).values, without.bounded_answer(X, bounds).values);
  EXPECT_EQ(with.Y(), without.Y());
}

TEST(Persons, YComesInUnitsOfTheData) {
  Stream stream = test_stream(13);
  const Matrix X = unit_factor(stream, 25, 3);
  const Matrix Y = random_matrix(stream, 3, 200, 1, 1000);
  const Matrix Z = X * Y;
  Holder holder(data::unit_columns(data::of_persons(data::view(Z), one_with_twenty()), ColumnNorm::kL2));
  holder.begin(3, 1);
  DescentRequest request;
  request.X = X;
  request.restart = request.measure_only = request.thorough = true;
  (void)holder.answer(request);
  EXPECT_LE((holder.Y() - Y).norm(), 1e-6 * Y.norm());
  EXPECT_NEAR(holder.squared_norm(), 180 + 1, 1e-9) << "one for each person";
}

}  // namespace
}  // namespace ppdnmf::nmf
