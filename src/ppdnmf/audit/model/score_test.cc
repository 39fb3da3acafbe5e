#include <ppdnmf/audit/model/score.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <ppdnmf/audit/model/least_squares.h>

namespace ppdnmf::audit {
namespace {

TEST(ColumnError, DoesNotCareInWhichOrderColumnsAreClaimed) {
  Matrix truth(2, 3);
  truth << 1, 0, 3, 0, 2, 4;
  Matrix claim(2, 3);
  claim << 3, 1, 0, 4, 0, 2;
  EXPECT_NEAR(column_error(truth, claim), 0, 1e-15);
  claim(0, 0) = 3.5;
  EXPECT_NEAR(column_error(truth, claim), 0.5 / truth.norm(), 1e-12);
  EXPECT_NEAR(column_error(truth, Matrix::Zero(2, 1)), 1, 1e-12);
}

TEST(ColumnError, TakesTheCheapestMatchOfAll) {
  Matrix truth(1, 2);
  truth << 1, 2;
  Matrix claim(1, 2);
  claim << 2, 3.1;  // greedily 2 goes to 2 and 3.1 to 1: 4.41; the other way 1 + 1.21
  EXPECT_NEAR(column_error(truth, claim), std::sqrt(2.21 / 5), 1e-12);
}

TEST(AreaUnderCurve, CountsWinsAndHalfTheTies) {
  const std::array members{3.0, 1.0};
  const std::array strangers{1.0, 0.0};
  EXPECT_DOUBLE_EQ(area_under_curve(members, strangers), (2 + 1.5) / 4);
}

TEST(OutsideOf, IsTheSineOfTheAngleToTheSpan) {
  Matrix basis(3, 2);
  basis << 1, 1, 0, 1, 0, 0;
  Matrix vectors(3, 1);
  vectors << 3, 0, 4;
  EXPECT_NEAR(outside_of(vectors, basis), 0.8, 1e-12);
}

TEST(Fit, FindsTheParametersOfAnExponential) {
  FitProblem p;
  const Vector times = Vector::LinSpaced(20, 0, 2);
  p.model = [&](const Vector& x) { return Vector(x(0) * (x(1) * times.array()).exp()); };
  p.jacobian = [&](const Vector& x, const Vector& at) {
    Matrix J(at.size(), 2);
    J.col(0) = at / x(0);
    J.col(1) = at.cwiseProduct(times);
    return J;
  };
  Vector truth(2);
  truth << 2, -1.5;
  p.observed = p.model(truth);
  p.deviation = Vector::Constant(20, 1e-6);
  p.mean = Vector::Ones(2);
  p.rest = Vector::Constant(2, 1e-2);
  p.least = Vector::Constant(2, -10);
  const FitResult result = fit(p, Vector::Ones(2), {1e4, 1}, 30);
  EXPECT_LT((result.parameters - truth).norm(), 1e-6);
  EXPECT_LT(linear_bound(p, truth).norm(), 1e-5);
}

// Student's quantiles for 1, 2, 4, 9 and 49 degrees of freedom.
TEST(Estimate, HasAnIntervalThatIsWiderForFewNumbers) {
  for (const auto& [count, quantile] : {std::pair{2, 12.706}, {3, 4.303}, {5, 2.776}, {10, 2.262}, {50, 2.010}}) {
    std::vector<double> values;
    values.reserve(count);
    for (int n = 0; n < count; ++n) values.push_back(n);
    const Estimate found = estimate(values);
    double squares = 0;
    for (const double value : values) squares += (value - found.mean) * (value - found.mean);
    const double error = std::sqrt(squares / (count - 1) / count);
    EXPECT_NEAR((found.high - found.mean) / error, quantile, 0.01) << count;
    EXPECT_NEAR(found.high - found.mean, found.mean - found.low, 1e-12);
  }
}

}  // namespace
}  // namespace ppdnmf::audit
