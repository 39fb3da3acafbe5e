// The penalties of nmf/loss.h: what they come to, and how long the factors are that they are about.
#include <algorithm>
#include <cmath>

#include <ppdnmf/nmf/loss.h>

namespace ppdnmf::nmf {
namespace {

// A component that adds at most this part to the sum of X Y is taken for zero. The Poisson loss keeps its y above 1e-10
// of what a column could need, so that none comes to nothing by itself.
constexpr double kGone = 0x1p-30;
// With LossOptions::few such components lose both factors quickly, and no sum could hold the y of the last x.
constexpr double kGoneOfFew = 1e-4;
constexpr double kShortest = 0x1p-100;
constexpr double kLongest = 0x1p100;

// The c > 0 that makes l1_x c + l2_x c² / 2 + l1_y / c + l2_y / (2 c²) smallest. By halving: these are sums and
// products alone, which give the same bits everywhere.
double balance(const Penalties& p) {
  if (!(p.l1_x > 0) && !(p.l2_x > 0)) return 1;  // a column of zeros
  if (!(p.l1_y > 0) && !(p.l2_y > 0)) return kShortest;
  const auto too_long = [&p](double c) { return p.l1_x * c + p.l2_x * c * c > p.l1_y / c + p.l2_y / (c * c); };
  double low = 1;
  while (low > kShortest && too_long(low)) low /= 2;
  double high = 2 * low;
  while (high < kLongest && !too_long(high)) high *= 2;
  low = high / 2;
  constexpr int kHalvings = 54;
  for (int n = 0; n < kHalvings; ++n) {
    const double middle = low + (high - low) / 2;
    (too_long(middle) ? high : low) = middle;
  }
  return low;
}

double gauge_of(const std::vector<double>& gauge, Index k) {
  return gauge.empty() ? 1 : gauge[static_cast<std::size_t>(k)];
}

}  // namespace

// What is minimised is divided by the square of the scale, or by the scale, with the scaled data.
Penalties Loss::scaled_penalties(double scale) const {
  const Penalties& p = options_.penalties;
  const double unit = kind() == LossKind::kSquares ? scale * scale : scale;
  return {p.l1_x / unit, p.l1_y * scale / unit, p.l2_x / unit, p.l2_y * scale * scale / unit};
}

std::vector<double> Loss::met_gauge(const Moments& totals, const DescentRequest& asked, const Common& common) const {
  const bool follows_Y = options_.penalties.on_X() && !options_.penalties.on_Y();
  return follows_Y ? gauge(totals, asked.X, common) : asked.gauge;
}

double Loss::penalty(const Moments& totals, const DescentRequest& asked, const Common& common) const {
  if (!options_.penalties.any()) return 0;
  const Penalties p = scaled_penalties(common.scale);
  const std::vector<double> met = met_gauge(totals, asked, common);
  double sum = 0;
  for (Index k = 0; k < asked.X.cols(); ++k) {
    const double c = gauge_of(met, k);
    sum += p.l1_x * c * asked.X.col(k).sum() + p.l2_x / 2 * c * c * asked.X.col(k).squaredNorm();
    sum += p.l1_y * totals.Y_sums(k, 0) / c + p.l2_y / 2 * totals.Y_sums(k, 1) / (c * c);
  }
  return sum;
}

std::vector<double> Loss::first_gauge(const Matrix& X) const {
  if (!options_.penalties.any()) return {};
  std::vector<double> gauge(static_cast<std::size_t>(X.cols()), 1);
  for (Index k = options_.known; k < X.cols() && !options_.penalties.on_X(); ++k) {
    const double length = X.col(k).norm();
    if (length > 0) gauge[static_cast<std::size_t>(k)] = std::min(1 / length, kLongest);
  }
  return gauge;
}

std::vector<double> Loss::gauge(const Moments& totals, const Matrix& X, const Common& common) const {
  std::vector<double> gauge = first_gauge(X);
  if (!options_.penalties.on_X()) return gauge;
  const Penalties p = scaled_penalties(common.scale);
  for (Index k = options_.known; k < X.cols(); ++k) {
    double& c = gauge[static_cast<std::size_t>(k)];
    if (!options_.penalties.on_Y()) {
      c = std::clamp(common.scale * std::sqrt(totals.Y_sums(k, 1)), kShortest, kLongest);
    } else {
      c = balance({p.l1_x * X.col(k).sum(), p.l1_y * totals.Y_sums(k, 0), p.l2_x * X.col(k).squaredNorm(),
                   p.l2_y * totals.Y_sums(k, 1)});
    }
  }
  return gauge;
}

Matrix Loss::shown_X(const Matrix& X, const std::vector<double>& gauge) {
  Matrix shown = X;
  for (Index k = 0; k < X.cols(); ++k) {
    const double c = gauge_of(gauge, k);
    if (c != 1) shown.col(k) *= c > kShortest ? c : 0;
  }
  return shown;
}

void Loss::show_Y(const std::vector<double>& gauge, Matrix& Y) {
  for (Index k = 0; k < Y.rows(); ++k) {
    const double c = gauge_of(gauge, k);
    if (c != 1) Y.row(k) /= c;
  }
}

bool Loss::possible_gauge(const std::vector<double>& gauge) {
  return std::all_of(gauge.begin(), gauge.end(), [](double c) { return std::isfinite(c) && c > 0; });
}

std::vector<Index> Loss::gone(const Moments& totals, const Matrix& X) const {
  std::vector<Index> gone;
  if (!options_.ends_components()) return gone;
  // Sums of y: under the Poisson loss they stand in S, too.
  const auto sums = options_.few > 0 ? totals.S.rightCols(1) : totals.Y_sums.leftCols(1);
  const Eigen::ArrayXd parts = X.colwise().sum().transpose().array() * sums.array();
  const double least = (options_.few > 0 ? kGoneOfFew : kGone) * parts.sum();
  for (Index k = options_.known; k < X.cols(); ++k) {
    if (!(parts(k) > least)) gone.push_back(k);
  }
  return gone;
}

// With X alone penalised, the penalty of a component is l1_x sum(x) |y| + l2_x sum(x²) |y|² / 2, whatever the lengths
// are, y being its row over all columns, and |y| is at most (|y|² / |y before| + |y before|) / 2.
Weights Loss::y_weights(const DescentRequest& request, double scale) const {
  if (!options_.penalties.any()) return {};
  const Penalties p = scaled_penalties(scale);
  const auto rank = static_cast<std::size_t>(request.X.cols());
  Weights weights{std::vector<double>(rank), std::vector<double>(rank)};
  const Index weighed = request.restart && !request.thorough ? options_.known : request.X.cols();
  for (Index k = 0; k < weighed; ++k) {
    if (!(request.X.col(k).maxCoeff() > 0)) continue;  // its y is zero
    const double c = gauge_of(request.gauge, k);
    double& square = weights.square[static_cast<std::size_t>(k)];
    weights.linear[static_cast<std::size_t>(k)] = p.l1_y / c;
    square = p.l2_y / (c * c);
    if (!options_.penalties.on_Y() && k >= options_.known)
      square = scale * scale * (p.l1_x * request.X.col(k).sum() / c + p.l2_x * request.X.col(k).squaredNorm());
  }
  return weights;
}

// With Y alone penalised, the same with the roles exchanged.
Weights Loss::x_weights(const Moments& totals, const XStep& step, const Matrix& X) const {
  if (!options_.penalties.any()) return {};
  const Penalties p = scaled_penalties(step.common.scale);
  const std::vector<double> lengths = gauge(totals, X, step.common);
  Weights weights{std::vector<double>(lengths.size()), std::vector<double>(lengths.size())};
  for (Index k = options_.known; k < X.cols(); ++k) {
    const double c = gauge_of(lengths, k);
    double& square = weights.square[static_cast<std::size_t>(k)];
    weights.linear[static_cast<std::size_t>(k)] = p.l1_x * c;
    square = p.l2_x * c * c;
    if (!options_.penalties.on_X()) square = p.l1_y * totals.Y_sums(k, 0) * c + p.l2_y * totals.Y_sums(k, 1);
  }
  return weights;
}

}  // namespace ppdnmf::nmf
