#include <ppdnmf/nmf/internal/divergence_step.h>

#include <algorithm>
#include <cmath>

namespace ppdnmf::nmf::internal {
namespace {

// A y falls at most to this part of itself in one step, and never below this part of what its column could need.
constexpr double kKept = 0.1;
constexpr double kLeastY = 1e-10;
constexpr int kNewtonSweeps = 10;
constexpr double kNewtonPart = 1e-3;
// From this rank on a sweep over coordinates costs less than the curvature of a column.
constexpr Index kCoordinatesFrom = 31;

// Multiplicative sweeps, then steps of descent; more only while they lower a column's value by more than `part`.
struct Plan {
  int sweeps, steps;
  double part;
};

// A sweep over coordinates leads less far than a Newton step, of which a second one saves few rounds or none.
Plan plan_of(Effort effort, Index rank) {
  switch (effort) {
    case Effort::kUnhurried:
      return {3, 0, 0};
    case Effort::kFromNothing:
      return {2, 4, 0};
    case Effort::kThorough:
      return {2, 200, 1e-14};
    default:
      return {0, rank < kCoordinatesFrom ? 1 : 2, 0};
  }
}

}  // namespace

DivergenceStep::DivergenceStep(const ColumnLanes& lanes_, const YStep& step, Curvature curvature_)
    : lanes(lanes_),
      X(step.X),
      effort(step.effort),
      moments(step.moments),
      curvature(curvature_),
      rows(step.X.rows()),
      rank(step.X.cols()),
      groups(round_up(rank, kLanes) / kLanes),
      grouped(step.X),
      padded(Matrix::Zero(round_up(rows, kLanes), rank)),
      s(numbers(rank)),
      gram(internal::gram(lanes_, step.X, grouped)),
      weights(step.weights),
      few(step.few) {
  padded.topRows(rows) = X;
  const std::vector<double> ones(numbers(padded.rows()), 1);
  lanes.correlate(rank, padded.rows(), padded.data(), padded.rows(), ones.data(), s.data());
  s_weighed = s;
  for (std::size_t k = 0; k < weights.linear.size(); ++k) s_weighed[k] += weights.linear[k];
}

double multiplicative(double a, double sum, double square) {
  if (!(square > 0)) return a / sum;
  return 2 * a / (sum + std::sqrt(sum * sum + 4 * square * a));
}

DivergenceColumns::DivergenceColumns(const DivergenceStep& step, const Leaf& leaf)
    : step_(step), leaf_(leaf), inverse_(1 / leaf.scale) {
  const Index most = round_up(step.rows, kLanes);
  const Index padded = step.groups * kLanes;
  at_.resize(numbers(step.rows));
  for (std::vector<double>* one : {&z_, &r_, &once_, &twice_}) one->resize(numbers(most));
  for (std::vector<double>* one : {&q_, &g_, &d_, &least_, &floor_, &before_, &y_, &y_sum_})
    one->resize(numbers(padded));
  H_.resize(numbers(padded * round_up(step.rank, kTileColumns)));
  if (!step.moments) return;
  const Index pairs = step.curvature == Curvature::kFull ? triangle(step.rank) : step.rank;
  pairs_.resize(numbers(round_up(pairs, kLanes)));
  S_.resize(numbers(padded * step.rows));
  T_.resize(pairs_.size() * numbers(step.rows));
  if (step.curvature == Curvature::kScaled) common_.resize(numbers(step.rank * step.rank));
}

void DivergenceColumns::run(Matrix& Y, Moments& out) {
  data::walk(leaf_.columns, leaf_.range, [&](const data::Block& block, const data::Range& range) {
    const data::Gaps gaps = leaf_.columns.gaps(range);
    for (Index m = 0; m < block.count; ++m) {
      double* const y = Y.data() + (range.first + m) * step_.rank;
      take_column(block, m);
      take_gaps(gaps.of(m));
      if (count_ == 0) {
        std::fill_n(y, step_.rank, 0);
        continue;
      }
      pack();
      solve(y);
      if (step_.moments) add_totals(y);
    }
  });
  take_totals(out);
}

// --- a column -------------------------------------------------------------------------------------------------------

void DivergenceColumns::take_column(const data::Block& block, Index m) {
  if (!block.dense()) {
    const std::size_t from = block.entries_before(m);
    return take_entries(static_cast<Index>(block.entries_before(m + 1) - from), block.row + from, block.value + from);
  }
  take_entries(block.rows, nullptr, block.values + m * block.rows);
}

// `at`: null if all rows are there.
void DivergenceColumns::take_entries(Index count, const int* at, const double* values) {
  count_ = 0;
  sum_ = 0;
  for (Index i = 0; i < count; ++i) {
    if (!(values[i] > 0)) continue;
    const double z = values[i] * inverse_;
    at_[numbers(count_)] = at == nullptr ? static_cast<int>(i) : at[i];
    z_[numbers(count_++)] = z;
    sum_ += z;
  }
  filled_ = round_up(count_, kLanes);
  std::fill(z_.begin() + count_, z_.begin() + filled_, 0);
}

// Rows that are missing add nothing to the divergence, X y included.
void DivergenceColumns::take_gaps(std::span<const int> missing) {
  missing_ = missing;
  s_ = step_.s.data();
  s_weighed_ = s_linear_ = step_.s_weighed.data();
  if (missing.empty()) return;
  has_.assign(numbers(step_.padded.rows()), 1);
  for (const int row : missing) has_[static_cast<std::size_t>(row)] = 0;
  s_own_.resize(numbers(step_.rank));
  step_.lanes.correlate(step_.rank, step_.padded.rows(), step_.padded.data(), step_.padded.rows(), has_.data(),
                        s_own_.data());
  s_ = s_own_.data();
  s_weighed_own_ = s_own_;
  for (std::size_t k = 0; k < step_.weights.linear.size(); ++k) s_weighed_own_[k] += step_.weights.linear[k];
  s_weighed_ = s_linear_ = s_weighed_own_.data();
}

// A column without zeros takes X as it lies.
void DivergenceColumns::pack() {
  const bool newton = step_.effort != Effort::kUnhurried && step_.rank < kCoordinatesFrom;
  if (count_ == step_.rows) {
    P_ = step_.padded.data();
    P_stride_ = step_.padded.rows();
    A_ = step_.grouped.from_row(0);
    A_stride_ = step_.grouped.group_stride();
    return;
  }
  P_own_.resize(std::max(P_own_.size(), numbers(filled_ * step_.rank)));
  for (Index k = 0; k < step_.rank; ++k) {
    const double* const x = step_.X.data() + k * step_.rows;
    double* const to = P_own_.data() + k * filled_;
    for (Index i = 0; i < count_; ++i) to[i] = x[at_[numbers(i)]];
    std::fill(to + count_, to + filled_, 0);
  }
  P_ = P_own_.data();
  P_stride_ = filled_;
  if (!newton) return;
  A_own_.resize(std::max(A_own_.size(), numbers(step_.groups * count_ * kLanes)));
  for (Index g = 0; g < step_.groups; ++g) {
    const double* const from = step_.grouped.from_row(0) + g * step_.grouped.group_stride();
    double* const to = A_own_.data() + g * count_ * kLanes;
    for (Index i = 0; i < count_; ++i) std::copy_n(from + Index{at_[numbers(i)]} * kLanes, kLanes, to + i * kLanes);
  }
  A_ = A_own_.data();
  A_stride_ = count_ * kLanes;
}

void DivergenceColumns::find_r(const double* y) {
  step_.lanes.combine(step_.rank, filled_, P_, P_stride_, y, r_.data());
  // No r that is divided by is zero: where X has a row of zeros, nothing can be said.
  constexpr double kLeast = 0x1p-400;
  for (Index i = 0; i < count_; ++i) r_[numbers(i)] = std::max(r_[numbers(i)], kLeast);
  std::fill(r_.begin() + count_, r_.begin() + filled_, 1);
}

double DivergenceColumns::value(const double* y) {
  double all = 0;  // the sum of X y over all rows that are there
  for (Index k = 0; k < step_.rank; ++k) all += s_[k] * y[k];
  if (step_.few > 0) all += charges(y);
  return step_.lanes.divergence(filled_, z_.data(), r_.data()) + all + penalty(y);
}

double DivergenceColumns::penalty(const double* y) const {
  double sum = 0;
  for (std::size_t k = 0; k < step_.weights.linear.size(); ++k)
    sum += y[k] * (step_.weights.linear[k] + step_.weights.square[k] / 2 * y[k]);
  return sum;
}

void DivergenceColumns::begin_cold(double* y) {
  for (Index k = 0; k < step_.rank; ++k) {
    const double s = s_[k];
    y[k] = s > 0 ? sum_ / (s * static_cast<double>(step_.rank)) : 0;
  }
}

void DivergenceColumns::solve(double* y) {
  const Plan plan = plan_of(step_.effort, step_.rank);
  double largest = 0;
  for (Index k = 0; k < step_.rank; ++k) {
    const double s = s_[k];
    floor_[numbers(k)] = s > 0 ? kLeastY * sum_ / s : 0;
    largest = std::max(largest, y[k]);
  }
  if (!(largest > 0)) begin_cold(y);
  find_r(y);
  for (int n = 0; n < plan.sweeps; ++n) multiply(y);
  double now = value(y);
  for (int n = 0; n < plan.steps; ++n) {
    const double before = now;
    now = descend(y, before);
    if (plan.part > 0 && !(before - now > plan.part * std::abs(before) + plan.part * sum_)) break;
  }
  divergence_ += now - penalty(y);
  squared_error_ += squared_error(y);
}

// ||z - X y||²: what the entries leave, to all digits, and (X y)² of the zeros, which is ||X y||² without that of the
// entries.
double DivergenceColumns::squared_error(const double* y) {
  double entries = 0;
  double fitted = 0;  // the entries' part in ||X y||²
  for (Index i = 0; i < count_; ++i) {
    const double rest = z_[numbers(i)] - r_[numbers(i)];
    entries += rest * rest;
    fitted += r_[numbers(i)] * r_[numbers(i)];
  }
  if (count_ + static_cast<Index>(missing_.size()) == step_.rows) return entries;
  double all = 0;
  add_squares(y, all);
  return entries + std::max(all - fitted, 0.0);
}

// ||X y||² over the rows that are there.
void DivergenceColumns::add_squares(const double* y, double& sum) {
  if (missing_.empty()) {
    for (Index k = 0; k < step_.rank; ++k) {
      double product = 0;
      for (Index j = 0; j < step_.rank; ++j) product += step_.gram(j, k) * y[j];
      sum += y[k] * product;
    }
    return;
  }
  r_all_.resize(numbers(step_.padded.rows()));
  step_.lanes.combine(step_.rank, step_.padded.rows(), step_.padded.data(), step_.padded.rows(), y, r_all_.data());
  for (Index l = 0; l < step_.rows; ++l) sum += has_[numbers(l)] * r_all_[numbers(l)] * r_all_[numbers(l)];
}

// What a y_k costs under LossOptions::few, in multiples of s_k y_k: the slope of few t log(1 + c / (b t)) at c = s_k
// y_k. A concave cost lies below its tangent, so a step that lowers the tangent's value lowers the cost's, too.
double DivergenceColumns::charge(Index k, double y) const { return step_.few * sum_ / (s_[k] * y + kFewFrom * sum_); }

// few t sum_k log(1 + c_k / (b t)).
double DivergenceColumns::charges(const double* y) {
  const Index filled = round_up(step_.rank, kLanes);
  ones_.resize(std::max(ones_.size(), numbers(filled)), 1);
  parts_.assign(numbers(filled), 1);
  for (Index k = 0; k < step_.rank; ++k) parts_[numbers(k)] = 1 / (1 + s_[k] * y[k] / (kFewFrom * sum_));
  return step_.few * sum_ * (step_.lanes.divergence(filled, ones_.data(), parts_.data()) + static_cast<double>(filled));
}

void DivergenceColumns::weigh_charges(const double* y) {
  if (!(step_.few > 0)) return;
  charged_.resize(numbers(step_.rank));
  for (Index k = 0; k < step_.rank; ++k) charged_[numbers(k)] = s_linear_[k] + s_[k] * charge(k, y[k]);
  s_weighed_ = charged_.data();
}

// y_k times sum z x / r over s_k: the value never rises.
void DivergenceColumns::multiply(double* y) {
  weigh_charges(y);
  step_.lanes.ratios(filled_, z_.data(), r_.data(), once_.data(), twice_.data());
  step_.lanes.correlate(step_.rank, filled_, P_, P_stride_, once_.data(), q_.data());
  for (Index k = 0; k < step_.rank; ++k) {
    const double square = step_.weights.any() ? step_.weights.square[numbers(k)] : 0;
    if (s_[k] > 0) y[k] = std::max(multiplicative(y[k] * q_[numbers(k)], s_weighed_[k], square), floor_[numbers(k)]);
  }
  find_r(y);
}

// A step of descent; a column whose value would rise takes a multiplicative one instead.
double DivergenceColumns::descend(double* y, double before) {
  std::copy_n(y, step_.rank, before_.begin());
  weigh_charges(y);
  if (step_.rank < kCoordinatesFrom) {
    newton(y);
  } else {
    const double* const square = step_.weights.any() ? step_.weights.square.data() : nullptr;
    step_.lanes.coordinates({step_.rank, filled_, P_, P_stride_, z_.data(), s_weighed_, floor_.data(), kKept, square},
                            r_.data(), y);
  }
  find_r(y);
  const double after = value(y);
  if (after <= before) return after;
  std::copy_n(before_.begin(), step_.rank, y);
  find_r(y);
  multiply(y);
  return value(y);
}

// min over d of the quadratic model at y, none of the y falling too far.
void DivergenceColumns::newton(double* y) {
  const Index rank = step_.rank;
  const Index padded = step_.groups * kLanes;
  step_.lanes.ratios(filled_, z_.data(), r_.data(), once_.data(), twice_.data());
  step_.lanes.correlate(rank, filled_, P_, P_stride_, once_.data(), q_.data());
  weighed_.resize(std::max(weighed_.size(), numbers(count_ * rank)));
  for (Index k = 0; k < rank; ++k) {
    const double* const x = P_ + k * P_stride_;
    double* const to = weighed_.data() + k * count_;
    for (Index i = 0; i < count_; ++i) to[i] = x[i] * twice_[numbers(i)];
  }
  std::fill(H_.begin(), H_.end(), 0);
  add_product(step_.lanes, step_.groups, count_, A_, A_stride_, weighed_.data(), count_, rank, H_.data(), padded);
  std::fill(g_.begin(), g_.end(), 0);
  std::fill(d_.begin(), d_.end(), 0);
  for (Index k = 0; k < rank; ++k) {
    g_[numbers(k)] = s_weighed_[k] - q_[numbers(k)];
    if (step_.weights.any()) {
      g_[numbers(k)] += step_.weights.square[numbers(k)] * y[k];
      H_[numbers(k * padded + k)] += step_.weights.square[numbers(k)];
    }
    least_[numbers(k)] = std::max(kKept * y[k], floor_[numbers(k)]) - y[k];
  }
  step_.lanes.bounded({rank, step_.groups, H_.data(), least_.data(), kNewtonSweeps, kNewtonPart}, g_.data(), d_.data());
  for (Index k = 0; k < rank; ++k) y[k] = std::max(y[k] + d_[numbers(k)], floor_[numbers(k)]);
}

// --- totals ---------------------------------------------------------------------------------------------------------

// Sums of z / r times y and of z / r² times products of y, row by row; X comes in when the leaf has ended.
void DivergenceColumns::add_totals(const double* y) {
  const Index rank = step_.rank;
  const Index stride = step_.rows * kLanes;
  std::copy_n(y, rank, y_.begin());
  step_.lanes.ratios(filled_, z_.data(), r_.data(), once_.data(), twice_.data());
  step_.lanes.scatter(step_.groups, count_, at_.data(), once_.data(), y_.data(), kLanes, S_.data(), stride);
  if (!missing_.empty()) {  // in the gradient z is X y where it is missing; it has no curvature
    ones_.resize(std::max(ones_.size(), missing_.size()), 1);
    step_.lanes.scatter(step_.groups, static_cast<long>(missing_.size()), missing_.data(), ones_.data(), y_.data(),
                        kLanes, S_.data(), stride);
  }
  std::size_t next = 0;
  for (Index k = 0; k < rank; ++k) {
    y_sum_[numbers(k)] += step_.few > 0 ? y[k] * (1 + charge(k, y[k])) : y[k];
    if (step_.curvature == Curvature::kFull) {
      for (Index j = 0; j <= k; ++j) pairs_[next++] = y[j] * y[k];
    } else {
      pairs_[next++] = y[k] * y[k];
      // Of parts of the column: these have a bound, however long the columns of X are.
      const double part = step_.s[numbers(k)] * y[k] / sum_;
      for (Index j = 0; j <= k; ++j) common_[numbers(k * rank + j)] += step_.s[numbers(j)] * y[j] * part;
    }
  }
  step_.lanes.scatter(static_cast<Index>(pairs_.size()) / kLanes, count_, at_.data(), twice_.data(), pairs_.data(),
                      kLanes, T_.data(), stride);
}

void DivergenceColumns::take_totals(Moments& out) const {
  const Index rank = step_.rank;
  const Index rows = step_.rows;
  const Matrix& X = step_.X;
  out.divergence = std::max(divergence_, 0.0);  // what round-off leaves of an exact fit can be below zero
  out.squared_error = squared_error_;
  if (!step_.moments) {
    out.S.setZero(rank, 0);
    out.T.setZero(rank, 0);
    return;
  }
  const auto total = [rows](const std::vector<double>& grouped, Index l, Index place) {
    return grouped[numbers(place / kLanes * rows * kLanes + l * kLanes + place % kLanes)];
  };
  const bool full = step_.curvature == Curvature::kFull;
  out.S.resize(rank, rows + 1);
  out.T.resize(full ? triangle(rank) : rank, full ? rows : rows + rank);
  for (Index l = 0; l < rows; ++l) {
    Index next = 0;
    for (Index k = 0; k < rank; ++k) {
      out.S(k, l) = X(l, k) * total(S_, l, k);
      for (Index j = full ? 0 : k; j <= k; ++j) {
        out.T(next, l) = X(l, j) * X(l, k) * total(T_, l, next);
        ++next;
      }
    }
  }
  for (Index k = 0; k < rank; ++k) {
    out.S(k, rows) = y_sum_[numbers(k)];
    if (full) continue;
    for (Index j = 0; j <= k; ++j) out.T(j, rows + k) = out.T(k, rows + j) = common_[numbers(k * rank + j)];
  }
}

}  // namespace ppdnmf::nmf::internal
