#include <ppdnmf/nmf/internal/vertex_climb.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include <ppdnmf/base/result.h>

namespace ppdnmf::nmf::internal {
namespace {

constexpr Index kTotal = -1;  // the constraint that entries add up to one
constexpr Index kFree = -2;   // a coordinate at rest, which no row of U holds
constexpr double kNothing = 1e-11;
constexpr double kApart = 1e-9;  // how far slacks of different rows are apart, as part of the mean entry
constexpr int kRefreshAfter = 50;

}  // namespace

Polytope::Polytope(const Matrix& basis, double level) {
  std::vector<Index> kept;
  for (Index i = 0; i < basis.rows(); ++i) {
    if (basis.row(i).cwiseAbs().maxCoeff() > kNothing) kept.push_back(i);
  }
  U.resize(static_cast<Index>(kept.size()), basis.cols());
  slack.resize(U.rows());
  for (Index i = 0; i < U.rows(); ++i) {
    U.row(i) = basis.row(kept[static_cast<std::size_t>(i)]);
    // The fractional parts of multiples of the golden ratio lie apart, whichever rows there are.
    const double fraction = std::fmod(0.6180339887498949 * static_cast<double>(i + 1), 1.0);
    slack(i) = level + kApart * (1 + fraction) / static_cast<double>(basis.rows());
  }
  total = U.colwise().sum().transpose();
}

VertexClimb::VertexClimb(const Polytope& polytope, const Vector& a)
    : p_(polytope), a_(a), active_(static_cast<std::size_t>(polytope.U.rows()), false) {
  const Index K = a.size();
  Index most = 0;
  p_.total.cwiseAbs().maxCoeff(&most);
  rows_.push_back(kTotal);
  held_.push_back(most);
  for (Index k = 0; k < K; ++k) {
    if (k == most) continue;
    rows_.push_back(kFree);
    held_.push_back(k);
  }
  // Column j moves coordinate held_[j] by one and keeps the total.
  inverse_ = Matrix::Zero(K, K);
  inverse_(most, 0) = 1 / p_.total(most);
  for (Index j = 1; j < K; ++j) {
    const Index k = held_[static_cast<std::size_t>(j)];
    inverse_(k, j) = 1;
    inverse_(most, j) = -p_.total(k) / p_.total(most);
  }
  room_ = p_.U * a_ + p_.slack;
}

// The constraint whose leaving raises cᵀa most per length; free coordinates first, in whatever sense.
Index VertexClimb::best_direction(const Vector& c) const {
  const Vector gain = inverse_.transpose() * c;
  Index best = -1;
  double most = 0;
  bool free = false;
  const double least = kNothing * c.norm();
  for (Index j = 1; j < gain.size(); ++j) {
    const bool is_free = rows_[static_cast<std::size_t>(j)] == kFree;
    const double value = (is_free ? std::abs(gain(j)) : gain(j)) / inverse_.col(j).norm();
    if (free && !is_free) continue;
    if ((is_free && !free) || value > most) {
      if (!is_free && value <= least) continue;
      best = j;
      most = value;
      free = is_free;
    }
  }
  return best;
}

// As far as the rows allow. False if no row stops it, which round-off alone can bring about.
bool VertexClimb::advance(Index leaving, double sign) {
  const Vector way = sign * inverse_.col(leaving);
  const Vector change = p_.U * way;
  const double least = kNothing * way.norm();
  Index entering = -1;
  double step = 0;
  for (Index i = 0; i < change.size(); ++i) {
    if (change(i) >= -least || active_[static_cast<std::size_t>(i)]) continue;
    const double until = std::max(room_(i), 0.0) / -change(i);
    if (entering < 0 || until < step) {
      entering = i;
      step = until;
    }
  }
  if (entering < 0) return false;
  a_ += step * way;
  room_ += step * change;
  replace(leaving, entering);
  return true;
}

void VertexClimb::replace(Index leaving, Index entering) {
  const Vector row = (p_.U.row(entering) * inverse_).transpose();
  const Vector column = inverse_.col(leaving) / row(leaving);
  for (Index j = 0; j < row.size(); ++j) {
    if (j != leaving) inverse_.col(j) -= row(j) * column;
  }
  inverse_.col(leaving) = column;
  Index& old = rows_[static_cast<std::size_t>(leaving)];
  if (old >= 0) active_[static_cast<std::size_t>(old)] = false;
  old = entering;
  active_[static_cast<std::size_t>(entering)] = true;
  if (++since_refresh_ >= kRefreshAfter) refresh();
}

// Anew from the constraints, before round-off adds up.
void VertexClimb::refresh() {
  since_refresh_ = 0;
  const Index K = a_.size();
  Matrix B = Matrix::Zero(K, K);
  Vector right(K);
  for (Index j = 0; j < K; ++j) {
    const Index row = rows_[static_cast<std::size_t>(j)];
    if (row == kTotal) {
      B.row(j) = p_.total.transpose();
      right(j) = 1;
    } else if (row == kFree) {
      const Index k = held_[static_cast<std::size_t>(j)];
      B(j, k) = 1;
      right(j) = a_(k);
    } else {
      B.row(j) = p_.U.row(row);
      right(j) = -p_.slack(row);
    }
  }
  const Matrix anew = B.partialPivLu().inverse();
  if (!anew.allFinite()) return;
  inverse_ = anew;
  a_ = inverse_ * right;
  room_ = p_.U * a_ + p_.slack;
}

const Vector& VertexClimb::climb(const Vector& c) {
  const Index most_steps = 20 * a_.size() + 100;
  for (Index n = 0; n < most_steps; ++n) {
    const Index leaving = best_direction(c);
    if (leaving < 0) break;
    const double sign =
        rows_[static_cast<std::size_t>(leaving)] == kFree && inverse_.col(leaving).dot(c) < 0 ? -1.0 : 1.0;
    if (!advance(leaving, sign)) break;
  }
  return a_;
}

}  // namespace ppdnmf::nmf::internal
