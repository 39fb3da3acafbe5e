#include <algorithm>
#include <cmath>

#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/internal/divergence_step.h>
#include <ppdnmf/nmf/internal/losses.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/loss.h>

namespace ppdnmf::nmf {
namespace {

using internal::kLanes;
using internal::triangle;

// An x falls at most to this part of itself in one step, and never below this part of its column's largest: from zero
// no step would lead away.
constexpr double kKeptX = 0.1;
constexpr double kLeastX = 1e-6;
constexpr int kRowSweeps = 30;
constexpr double kRowPart = 1e-4;
constexpr double kRidge = 1e-9;

void raise_to_floor(Matrix& X, Index known) {
  for (Index k = known; k < X.cols(); ++k) X.col(k) = X.col(k).cwiseMax(kLeastX * X.col(k).maxCoeff());
}

// Under LossOptions::few components come and go, and only products say how large they are: what a column of X would
// lose its y may lose instead, before no number could hold what the y's gain.
void keep_sums(const Eigen::RowVectorXd& sums, Matrix& X) {
  for (Index k = 0; k < X.cols(); ++k) {
    const double now = X.col(k).sum();
    if (now > 0) X.col(k) *= sums(k) / now;
  }
}

class PoissonAtX final : public LossAtX {
 public:
  PoissonAtX(const YStep& step, Curvature curvature) : step_(automatic_lanes(), step, curvature) {}
  void solve(const Leaf& leaf, Matrix& Y, const Matrix& /*before*/, Moments& out) const override {
    internal::DivergenceColumns(step_, leaf).run(Y, out);
  }

 private:
  internal::DivergenceStep step_;
};

// The quadratic model of a row of X, in multiples of what the row is: gradient x s - a, curvature A.
class RowModel {
 public:
  RowModel(const Moments& totals, const LossOptions& options, const XStep& step, Index rows, Index rank)
      : totals_(totals),
        full_(options.curvature == Curvature::kFull),
        damping_(step.damping),
        weights_(step.weights),
        rows_(rows),
        rank_(rank),
        known_(options.known) {
    if (full_) return;
    correlation_ = totals.T.rightCols(rank);
    const Eigen::VectorXd diagonal = correlation_.diagonal();
    for (Index k = 0; k < rank; ++k) {
      for (Index j = 0; j < rank; ++j) {
        const double both = std::sqrt(diagonal(j)) * std::sqrt(diagonal(k));
        correlation_(j, k) = j == k ? 1 : (both > 0 ? correlation_(j, k) / both : 0);
      }
    }
  }

  // x becomes the best one of the model.
  void solve(Index l, Matrix& X, const internal::ColumnLanes& lanes) {
    const Index groups = internal::round_up(rank_, kLanes) / kLanes;
    const Index padded = groups * kLanes;
    H_.setZero(padded, rank_);
    g_.assign(static_cast<std::size_t>(padded), 0);
    d_.assign(static_cast<std::size_t>(rank_), 0);
    least_.assign(static_cast<std::size_t>(rank_), kKeptX - 1);
    write_curvature(l);
    const double ridge = kRidge * H_.diagonal().sum();
    H_.diagonal().array() += ridge;
    hold_known();
    for (Index k = known_; k < rank_; ++k)
      g_[static_cast<std::size_t>(k)] = X(l, k) * totals_.S(k, rows_) - totals_.S(k, l);
    if (weights_.any()) add_penalties(X.row(l));
    lanes.bounded({rank_, groups, H_.data(), least_.data(), kRowSweeps, kRowPart}, g_.data(), d_.data());
    for (Index k = 0; k < rank_; ++k) X(l, k) *= 1 + d_[static_cast<std::size_t>(k)];
  }

 private:
  // Of x (1 + d): the weights' part in gradient and curvature, at d = 0.
  void add_penalties(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& x) {
    for (Index k = known_; k < rank_; ++k) {
      const double square = weights_.square[static_cast<std::size_t>(k)] * x(k) * x(k);
      g_[static_cast<std::size_t>(k)] += weights_.linear[static_cast<std::size_t>(k)] * x(k) + square;
      H_(k, k) += square;
    }
  }
  // A coordinate without curvature or gradient stays.
  void hold_known() {
    H_.leftCols(known_).setZero();
    H_.topRows(known_).setZero();
  }
  void write_curvature(Index l) {
    Index next = 0;
    for (Index k = 0; k < rank_; ++k) {
      for (Index j = 0; j <= k; ++j) {
        const double entry =
            full_ ? totals_.T(next, l) : correlation_(j, k) * std::sqrt(totals_.T(j, l)) * std::sqrt(totals_.T(k, l));
        ++next;
        H_(j, k) = H_(k, j) = damping_ * entry;
      }
    }
  }

  const Moments& totals_;
  bool full_;
  double damping_;
  const Weights& weights_;
  Index rows_, rank_, known_;
  Matrix correlation_, H_;
  std::vector<double> g_, d_, least_;
};

class Poisson final : public Loss {
 public:
  explicit Poisson(const LossOptions& options)
      : Loss(options), curvature_(options.curvature), squares_(internal::squares(options)) {}

  void constants(const data::Columns& columns, const data::Range& range, double scale, double* out) const override {
    squares_->constants(columns, range, scale, out);
  }
  [[nodiscard]] std::unique_ptr<LossAtX> at(const YStep& step) const override {
    return std::make_unique<PoissonAtX>(step, curvature_);
  }
  // Settings refuse private runs with this loss.
  [[nodiscard]] BoundedMoments bounded(const Leaf& leaf, const Matrix& Y, const Bounds& bounds,
                                       const Matrix* basis) const override {
    PPDNMF_CHECK(false && "the Poisson loss has no bounded parts");
    return squares_->bounded(leaf, Y, bounds, basis);
  }

  [[nodiscard]] Course course() const override {
    Course course;
    course.plain_steps = course.opening_rounds = 5;
    course.first_b = 0;
    course.raised = 1.1;
    course.added = 0.05;
    course.lowered = 0.5;
    course.limit_raised = 1.05;
    course.limit_part = 0.5;
    course.least_limit = 0.05;
    course.damped = 1.5;
    course.undamped = 1 / 1.1;
    course.repairs = false;
    course.free_rounds = 20;
    return course;
  }
  [[nodiscard]] bool wants_row_totals() const override { return true; }

 private:
  [[nodiscard]] double value_of(const Moments& totals) const override { return totals.divergence; }

  [[nodiscard]] bool plausible_of(const Moments& totals, Index rows, Index rank,
                                  Executor& /*executor*/) const override {
    PPDNMF_CHECK(totals.S.rows() == rank && totals.S.cols() == rows + 1);
    PPDNMF_CHECK(totals.T.rows() == T_rows(rank) && totals.T.cols() == T_columns(rows, rank));
    return totals.S.allFinite() && totals.T.allFinite() && totals.S.minCoeff() >= 0 && totals.T.minCoeff() >= 0;
  }

  [[nodiscard]] std::size_t words_of(Index rows, Index rank, bool measure) const override {
    if (measure) return 2;
    return static_cast<std::size_t>(rank * (rows + 1) + T_rows(rank) * rows +
                                    (curvature_ == Curvature::kFull ? 0 : triangle(rank)) + 2);
  }
  [[nodiscard]] std::vector<double> numbers_of(const Moments& totals, bool measure) const override;
  [[nodiscard]] Moments moments_of(std::span<const double> numbers, Index rows, Index rank,
                                   bool measure) const override;

  void first_X_of(Matrix& random, std::span<const double> row_totals) const override {
    constexpr double kLeast = 0.1;
    if (!row_totals.empty()) {
      for (Index k = 0; k < random.cols(); ++k) {
        for (Index l = 0; l < random.rows(); ++l)
          random(l, k) = row_totals[static_cast<std::size_t>(l)] * (random(l, k) + kLeast);
        const double sum = random.col(k).sum();
        if (sum > 0) random.col(k) /= sum;
      }
    }
    raise_to_floor(random, known());
  }

  void next_X_of(const Moments& totals, const XStep& step, Matrix& X, Executor& executor) const override {
    constexpr Index kRowsAtATime = 16;
    const internal::ColumnLanes& lanes = automatic_lanes();
    const RowModel model(totals, options(), step, X.rows(), X.cols());
    const Eigen::RowVectorXd sums = X.colwise().sum();
    const Index pieces = (X.rows() + kRowsAtATime - 1) / kRowsAtATime;
    executor.for_each(static_cast<std::size_t>(pieces), [&](std::size_t i) {
      RowModel own = model;
      const Index first = static_cast<Index>(i) * kRowsAtATime;
      for (Index l = first; l < std::min(X.rows(), first + kRowsAtATime); ++l) own.solve(l, X, lanes);
    });
    raise_to_floor(X, known());
    if (options().few > 0) keep_sums(sums, X);
  }
  void safe_X_of(const Moments& totals, const XStep& step, Matrix& X) const override {
    const Eigen::RowVectorXd sums = X.colwise().sum();
    for (Index k = known(); k < X.cols(); ++k) {
      const double sum = totals.S(k, X.rows());
      if (!(sum > 0)) continue;
      const auto at = static_cast<std::size_t>(k);
      const double linear = step.weights.any() ? step.weights.linear[at] : 0;
      const double square = step.weights.any() ? step.weights.square[at] : 0;
      for (Index l = 0; l < X.rows(); ++l)
        X(l, k) = std::max(internal::multiplicative(totals.S(k, l), sum + linear, square), kKeptX * X(l, k));
    }
    raise_to_floor(X, known());
    if (options().few > 0) keep_sums(sums, X);
  }
  void further_of(const Matrix& from, Matrix& X) const override {
    X = X.cwiseMax(kKeptX * from);
    raise_to_floor(X, known());
  }

  [[nodiscard]] Index T_rows(Index rank) const { return curvature_ == Curvature::kFull ? triangle(rank) : rank; }
  [[nodiscard]] Index T_columns(Index rows, Index rank) const {
    return curvature_ == Curvature::kFull ? rows : rows + rank;
  }

  Curvature curvature_;
  std::shared_ptr<const Loss> squares_;
};

std::vector<double> Poisson::numbers_of(const Moments& m, bool measure) const {
  std::vector<double> numbers;
  if (!measure) {
    const Index rank = m.S.rows();
    const Index rows = m.S.cols() - 1;
    numbers.reserve(words_of(rows, rank, false));
    numbers.assign(m.S.data(), m.S.data() + m.S.size());
    numbers.insert(numbers.end(), m.T.data(), m.T.data() + m.T.rows() * rows);
    for (Index k = 0; k < m.T.cols() - rows; ++k) {
      for (Index j = 0; j <= k; ++j) numbers.push_back(m.T(j, rows + k));
    }
  }
  numbers.push_back(m.divergence);
  numbers.push_back(m.squared_error);
  return numbers;
}

Moments Poisson::moments_of(std::span<const double> numbers, Index rows, Index rank, bool measure) const {
  Moments m;
  m.divergence = numbers[numbers.size() - 2];
  m.squared_error = numbers.back();
  if (measure) return m;
  m.S.resize(rank, rows + 1);
  m.T.resize(T_rows(rank), T_columns(rows, rank));
  auto next = numbers.begin();
  std::copy_n(next, m.S.size(), m.S.data());
  next += m.S.size();
  std::copy_n(next, m.T.rows() * rows, m.T.data());
  next += m.T.rows() * rows;
  for (Index k = 0; k < m.T.cols() - rows; ++k) {
    for (Index j = 0; j <= k; ++j) m.T(j, rows + k) = m.T(k, rows + j) = *next++;
  }
  return m;
}

}  // namespace

std::shared_ptr<const Loss> internal::poisson(const LossOptions& options) { return std::make_shared<Poisson>(options); }

}  // namespace ppdnmf::nmf
