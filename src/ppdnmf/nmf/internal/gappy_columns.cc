#include <ppdnmf/nmf/internal/gappy_columns.h>

#include <algorithm>

namespace ppdnmf::nmf::internal {

GappyColumns::GappyColumns(const ColumnStep& step, const Leaf& leaf)
    : step_(step),
      leaf_(leaf),
      inverse_(1 / leaf.scale),
      rows_(step.X.rows()),
      rank_(step.X.cols()),
      groups_(step.groups),
      padded_(groups_ * kLanes),
      gram_(gram(step.lanes, step.X, *step.grouped)),
      at_(numbers(rows_)),
      z_(numbers(rows_)),
      H_(numbers(padded_ * round_up(rank_, kTileColumns))),
      least_(numbers(rank_)),
      S_(step.moments ? numbers(groups_ * rows_ * kLanes) : 0),
      T_(Matrix::Zero(rank_, rank_)) {
  for (std::vector<double>* one : {&s_, &g_, &d_, &y_, &product_}) one->resize(numbers(padded_));
}

void GappyColumns::run(Matrix& Y, const Matrix& before, Moments& out) {
  data::walk(leaf_.columns, leaf_.range, [&](const data::Block& block, const data::Range& range) {
    const data::Gaps gaps = leaf_.columns.gaps(range);
    for (Index m = 0; m < block.count; ++m) {
      const Index column = range.first + m;
      double* const y = Y.data() + column * rank_;
      const std::span<const int> missing = gaps.of(m);
      take_column(block, m, missing);
      solve(y);
      squared_error_ += column_error(leaf_.constants[column - leaf_.range.first], missing, y);
      if (step_.moments) add_moments(missing, y, before.data() + column * rank_);
    }
  });
  out.S.setZero(rows_, rank_);
  out.T.setZero(rank_, rank_);
  out.squared_error = squared_error_;
  if (!step_.moments) return;
  for (Index k = 0; k < rank_; ++k) {
    const double* const lane = S_.data() + k / kLanes * rows_ * kLanes + k % kLanes;
    for (Index l = 0; l < rows_; ++l) out.S(l, k) = lane[l * kLanes];
    for (Index j = 0; j <= k; ++j) out.T(j, k) = out.T(k, j) = T_(j, k);
  }
}

// The entries that are not zero are all there: what is missing is lent as a zero.
void GappyColumns::take_column(const data::Block& block, Index m, std::span<const int> missing) {
  at_.clear();
  z_.clear();
  const auto take = [&](Index row, double z) {
    if (z == 0) return;
    at_.push_back(static_cast<int>(row));
    z_.push_back(z * inverse_);
  };
  if (block.dense()) {
    for (Index l = 0; l < rows_; ++l) take(l, block.values[m * rows_ + l]);
  } else {
    for (std::size_t i = block.entries_before(m); i < block.entries_before(m + 1); ++i)
      take(block.row[i], block.value[i]);
  }
  std::fill(s_.begin(), s_.end(), 0);
  step_.lanes.gather(groups_, static_cast<long>(at_.size()), at_.data(), 0, z_.data(), step_.grouped->from_row(0),
                     step_.grouped->group_stride(), s_.data());
  for (std::size_t k = 0; k < step_.weights.linear.size(); ++k) s_[k] -= step_.weights.linear[k];
  find_gram(missing);
  for (std::size_t k = 0; k < step_.weights.square.size(); ++k)
    H_[k * static_cast<std::size_t>(padded_) + k] += step_.weights.square[k];
  shrinks_ = step_.shrink.size() > 0 && !missing.empty();
  for (Index k = 0; shrinks_ && k < rank_; ++k) {
    for (Index j = 0; j < rank_; ++j) H_[numbers(k * padded_ + j)] += step_.shrink(j, k);
  }
}

void GappyColumns::find_gram(std::span<const int> missing) {
  // What is left of a diagonal after taking away more than this has lost digits.
  constexpr double kLeastLeft = 0x1p-10;
  std::fill(H_.begin(), H_.end(), 0);
  bool taken_away = 2 * static_cast<Index>(missing.size()) <= rows_;
  if (taken_away) {
    add_gram_of(missing, H_);
    for (Index k = 0; k < rank_; ++k) {
      for (Index j = 0; j < rank_; ++j) {
        double& h = H_[numbers(k * padded_ + j)];
        h = gram_(j, k) - h;
      }
      taken_away = taken_away && H_[numbers(k * padded_ + k)] >= kLeastLeft * gram_(k, k);
    }
  }
  if (taken_away) return;
  present_.clear();
  std::size_t next = 0;
  for (int l = 0; l < rows_; ++l) {
    if (next < missing.size() && missing[next] == l) {
      ++next;
    } else {
      present_.push_back(l);
    }
  }
  std::fill(H_.begin(), H_.end(), 0);
  add_gram_of(present_, H_);
}

void GappyColumns::add_gram_of(std::span<const int> rows, std::vector<double>& H) {
  const auto count = static_cast<Index>(rows.size());
  if (count == 0) return;
  A_.resize(numbers(groups_ * count * kLanes));
  P_.resize(numbers(count * rank_));
  for (Index g = 0; g < groups_; ++g) {
    const double* const from = step_.grouped->from_row(0) + g * step_.grouped->group_stride();
    double* const to = A_.data() + g * count * kLanes;
    for (Index i = 0; i < count; ++i) std::copy_n(from + Index{rows[numbers(i)]} * kLanes, kLanes, to + i * kLanes);
  }
  for (Index k = 0; k < rank_; ++k) {
    const double* const x = step_.X.data() + k * rows_;
    for (Index i = 0; i < count; ++i) P_[numbers(k * count + i)] = x[rows[numbers(i)]];
  }
  add_product(step_.lanes, groups_, count, A_.data(), count * kLanes, P_.data(), count, rank_, H.data(), padded_);
}

// Coordinate descent from y, as the columns without gaps have it, with the column's own matrix.
void GappyColumns::solve(double* y) {
  std::fill(g_.begin(), g_.end(), 0);
  std::fill(d_.begin(), d_.end(), 0);
  for (Index k = 0; k < rank_; ++k) {
    double product = 0;
    for (Index j = 0; j < rank_; ++j) product += H_[numbers(k * padded_ + j)] * y[j];
    g_[numbers(k)] = product - s_[numbers(k)];
    least_[numbers(k)] = -y[k];
  }
  step_.lanes.bounded({rank_, groups_, H_.data(), least_.data(), step_.sweeps, step_.part}, g_.data(), d_.data());
  for (Index k = 0; k < rank_; ++k) y[k] = std::max(y[k] + d_[numbers(k)], 0.0);
}

// The cheap formula loses its digits where the fit is nearly exact.
double GappyColumns::column_error(double constant, std::span<const int> missing, const double* y) {
  constexpr double kDigitsLost = 1e-8;
  double cheap = constant;
  for (Index k = 0; k < rank_; ++k) {
    double product = 0;
    for (Index j = 0; j < rank_; ++j) product += H_[numbers(k * padded_ + j)] * y[j];
    cheap += y[k] * (product - 2 * s_[numbers(k)]);
  }
  for (std::size_t k = 0; k < step_.weights.linear.size(); ++k)  // what was minimised beside the error
    cheap -= y[k] * (2 * step_.weights.linear[k] + step_.weights.square[k] * y[k]);
  for (Index k = 0; shrinks_ && k < rank_; ++k) {
    for (Index j = 0; j < rank_; ++j) cheap -= y[j] * step_.shrink(j, k) * y[k];
  }
  if (cheap > kDigitsLost * constant) return cheap;
  dense_.assign(numbers(rows_), 0);
  for (std::size_t i = 0; i < at_.size(); ++i) dense_[static_cast<std::size_t>(at_[i])] = z_[i];
  double sum = 0;
  std::size_t next = 0;
  for (Index l = 0; l < rows_; ++l) {
    if (next < missing.size() && missing[next] == l) {
      ++next;
      continue;
    }
    double rest = dense_[numbers(l)];
    for (Index k = 0; k < rank_; ++k) rest -= step_.X(l, k) * y[k];
    sum += rest * rest;
  }
  return sum;
}

void GappyColumns::add_moments(std::span<const int> missing, const double* y, const double* before) {
  for (Index k = 0; k < rank_; ++k) y_[numbers(k)] = std::max(y[k] + step_.extrapolation * (y[k] - before[k]), 0.0);
  for (Index k = 0; k < rank_; ++k) {
    for (Index j = 0; j <= k; ++j) T_(j, k) += y_[numbers(j)] * y_[numbers(k)];
  }
  filled_.resize(missing.size());
  for (std::size_t i = 0; i < missing.size(); ++i) {
    double sum = 0;
    for (Index k = 0; k < rank_; ++k) sum += step_.X(missing[i], k) * y_[numbers(k)];
    filled_[i] = sum;
  }
  const Index stride = rows_ * kLanes;
  step_.lanes.scatter(groups_, static_cast<long>(at_.size()), at_.data(), z_.data(), y_.data(), kLanes, S_.data(),
                      stride);
  step_.lanes.scatter(groups_, static_cast<long>(missing.size()), missing.data(), filled_.data(), y_.data(), kLanes,
                      S_.data(), stride);
}

}  // namespace ppdnmf::nmf::internal
