#include <ppdnmf/nmf/internal/column_descent.h>

#include <algorithm>
#include <limits>

namespace ppdnmf::nmf::internal {
namespace {

constexpr Index kDepthBlock = 256;  // rows of X^T Z at a time: six columns of them stay in the first cache
constexpr Index kRowBlock = kTileGroups * kLanes;  // rows of Z Y^T at a time
// A panel has so many columns that its numbers stay in the last cache between X^T Z and Z Y^T, but not so few that S is
// walked over too often.
constexpr Index kPanelUnit = 24;
constexpr Index kPanelNumbers = Index{1} << 18;
constexpr Index kSmallestPanel = 48;
constexpr Index kLargestPanel = 240;

Index panel_columns(Index rows) {
  return std::clamp(kPanelNumbers / rows / kPanelUnit * kPanelUnit, kSmallestPanel, kLargestPanel);
}

std::size_t numbers(Index count) { return static_cast<std::size_t>(count); }

// In products a nonzero entry alone costs as much as three to four entries of a whole column; beyond this it saves
// little.
constexpr std::size_t kWorthOf = 5;

}  // namespace

std::optional<Nonzeros> find_nonzeros(const Matrix& Z) {
  const auto size = numbers(Z.size());
  std::size_t count = 0;
  for (const double* z = Z.data(); z != Z.data() + size; ++z) count += *z != 0 ? 1 : 0;
  if (count > size / kWorthOf || Z.rows() > std::numeric_limits<int>::max()) return std::nullopt;
  Nonzeros found;
  found.first.reserve(numbers(Z.cols() + 1));
  found.row.reserve(count);
  found.value.reserve(count);
  found.first.push_back(0);
  for (Index m = 0; m < Z.cols(); ++m) {
    const double* const column = Z.data() + m * Z.rows();
    for (Index l = 0; l < Z.rows(); ++l) {
      if (column[l] == 0) continue;
      found.row.push_back(static_cast<int>(l));
      found.value.push_back(column[l]);
    }
    found.first.push_back(found.row.size());
  }
  return found;
}

ColumnDescent::ColumnDescent(const ColumnLanes& lanes, const Matrix& Z, const Nonzeros* nonzeros,
                             const Eigen::VectorXd& squared_norms, const ColumnStep& step)
    : lanes_(lanes),
      Z_(Z),
      nonzeros_(nonzeros),
      squared_norms_(squared_norms),
      step_(step),
      panel_(panel_columns(Z.rows())),
      X_(step.X),
      quadratic_(gram(lanes, step.X, X_)),
      XtZ_(X_.groups() * kLanes, round_up(panel_, kTileColumns)),
      s_(numbers(step.X.cols() * kBlock)),
      x_(numbers(round_up(step.X.cols(), kPartialSums) * kBlock)),
      Y_grouped_(numbers(X_.groups() * panel_ * kLanes)),
      Y_rows_(panel_, step.X.cols()),
      T_(Matrix::Zero(X_.groups() * kLanes, round_up(step.X.cols(), kTileColumns))) {
  if (nonzeros != nullptr) {
    S_grouped_.resize(numbers(X_.groups() * Z.rows() * kLanes));
  } else {
    Z_grouped_.resize(numbers(kRowBlock * panel_));
    S_ = Matrix::Zero(round_up(Z.rows(), kLanes), round_up(step.X.cols(), kTileColumns));
  }
}

Moments ColumnDescent::run(Matrix& start, const Matrix& before) {
  for (Index first = 0; first < Z_.cols(); first += panel_) {
    const Index count = std::min(panel_, Z_.cols() - first);
    multiply(first, count);
    solve(first, count, start);
    if (!step_.moments) continue;
    extrapolate(first, count, start, before);
    add_moments(first, count);
  }
  const Index K = step_.X.cols();
  return {S(), T_.topLeftCorner(K, K), squared_error_};
}

void ColumnDescent::multiply(Index first, Index count) {
  XtZ_.setZero();
  if (nonzeros_ != nullptr) {
    multiply_nonzeros(first, count);
    return;
  }
  for (Index row = 0; row < Z_.rows(); row += kDepthBlock) {
    add_product(lanes_, X_.groups(), std::min(kDepthBlock, Z_.rows() - row), X_.from_row(row), X_.group_stride(),
                &Z_(row, first), Z_.rows(), count, XtZ_.data(), XtZ_.rows());
  }
}

void ColumnDescent::multiply_nonzeros(Index first, Index count) {
  for (Index m = 0; m < count; ++m) {
    const std::size_t from = nonzeros_->first[numbers(first + m)];
    const auto entries = static_cast<long>(nonzeros_->first[numbers(first + m + 1)] - from);
    lanes_.gather(X_.groups(), entries, nonzeros_->row.data() + from, nonzeros_->value.data() + from, X_.from_row(0),
                  X_.group_stride(), XtZ_.data() + m * XtZ_.rows());
  }
}

void ColumnDescent::solve(Index first, Index count, Matrix& Y) {
  const Index K = Y.rows();
  const LaneProblem problem = quadratic_.problem();
  for (Index block = 0; block < count; block += kBlock) {
    const Index columns = std::min<Index>(kBlock, count - block);
    if (columns < kBlock) {
      std::fill(s_.begin(), s_.end(), 0);
      std::fill(x_.begin(), x_.end(), 0);
    }
    for (Index i = 0; i < columns; ++i) {
      for (Index k = 0; k < K; ++k) {
        s_[numbers(k * kBlock + i)] = XtZ_(k, block + i);
        x_[numbers(k * kBlock + i)] = Y(k, first + block + i);
      }
    }
    lanes_.descend(problem, s_.data(), x_.data(), step_.sweeps, step_.part);
    double values[kBlock];
    lanes_.quadratic(problem, s_.data(), x_.data(), values);
    for (Index i = 0; i < columns; ++i) {
      for (Index k = 0; k < K; ++k) Y(k, first + block + i) = x_[numbers(k * kBlock + i)];
      squared_error_ += column_error(first + block + i, values[i], Y);
    }
  }
}

// The cheap formula loses its digits where the fit is nearly exact. Each column decides for itself.
double ColumnDescent::column_error(Index column, double quadratic, const Matrix& Y) const {
  constexpr double kDigitsLost = 1e-8;
  const double cheap = squared_norms_[column] + quadratic;
  if (cheap > kDigitsLost * squared_norms_[column]) return cheap;
  return lanes_.residual(Z_.rows(), Y.rows(), step_.X.data(), &Y(0, column), &Z_(0, column));
}

void ColumnDescent::extrapolate(Index first, Index count, const Matrix& Y, const Matrix& before) {
  for (Index m = 0; m < count; ++m) {
    for (Index k = 0; k < Y.rows(); ++k) {
      const double y = Y(k, first + m);
      const double further = std::max(y + step_.extrapolation * (y - before(k, first + m)), 0.0);
      Y_rows_(m, k) = further;
      Y_grouped_[numbers(k / kLanes * panel_ * kLanes + m * kLanes + k % kLanes)] = further;
    }
  }
}

void ColumnDescent::add_moments(Index first, Index count) {
  const Index K = step_.X.cols();
  add_product(lanes_, X_.groups(), count, Y_grouped_.data(), panel_ * kLanes, Y_rows_.data(), panel_, K, T_.data(),
              T_.rows());
  if (nonzeros_ != nullptr) {
    add_nonzero_moments(first, count);
    return;
  }
  for (Index row = 0; row < Z_.rows(); row += kRowBlock) {
    const Index groups = gather_rows(row, first, count);
    add_product(lanes_, groups, count, Z_grouped_.data(), panel_ * kLanes, Y_rows_.data(), panel_, K, &S_(row, 0),
                S_.rows());
  }
}

void ColumnDescent::add_nonzero_moments(Index first, Index count) {
  for (Index m = 0; m < count; ++m) {
    const std::size_t from = nonzeros_->first[numbers(first + m)];
    const auto entries = static_cast<long>(nonzeros_->first[numbers(first + m + 1)] - from);
    lanes_.scatter(X_.groups(), entries, nonzeros_->row.data() + from, nonzeros_->value.data() + from,
                   Y_grouped_.data() + m * kLanes, panel_ * kLanes, S_grouped_.data(), X_.group_stride());
  }
}

Matrix ColumnDescent::S() const {
  const Index K = step_.X.cols();
  if (nonzeros_ == nullptr) return S_.topLeftCorner(Z_.rows(), K);
  Matrix S(Z_.rows(), K);
  for (Index k = 0; k < K; ++k) {
    const double* const lane = S_grouped_.data() + k / kLanes * X_.group_stride() + k % kLanes;
    for (Index l = 0; l < Z_.rows(); ++l) S(l, k) = lane[l * kLanes];
  }
  return S;
}

// Some rows of a panel, grouped, once for all components: in Z they lie far apart.
Index ColumnDescent::gather_rows(Index row, Index first, Index count) {
  const Index rows = std::min(kRowBlock, Z_.rows() - row);
  const Index whole = rows / kLanes;
  const Index rest = rows % kLanes;
  for (Index m = 0; m < count; ++m) {
    const double* column = &Z_(row, first + m);
    double* to = Z_grouped_.data() + m * kLanes;
    for (Index g = 0; g < whole; ++g) std::copy_n(column + g * kLanes, kLanes, to + g * panel_ * kLanes);
    if (rest == 0) continue;
    std::copy_n(column + whole * kLanes, rest, to + whole * panel_ * kLanes);
    std::fill_n(to + whole * panel_ * kLanes + rest, kLanes - rest, 0);
  }
  return whole + (rest > 0 ? 1 : 0);
}

}  // namespace ppdnmf::nmf::internal
