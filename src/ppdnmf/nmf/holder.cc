#include <ppdnmf/nmf/holder.h>

#include <cmath>
#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/internal/rounded_columns.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/products.h>
#include <ppdnmf/nmf/resample.h>

namespace ppdnmf::nmf {

namespace {

// Of y and of y² over some columns, one after the other.
Matrix sums_of(const Matrix& Y, const data::Range& range) {
  Matrix sums = Matrix::Zero(Y.rows(), 2);
  for (Index m = range.first; m < range.first + range.count; ++m) {
    sums.col(0) += Y.col(m);
    sums.col(1) += Y.col(m).cwiseAbs2();
  }
  return sums;
}

// Sums of leaves are as large as X. One thread has no use for one of every leaf at the same time, so that leaves go in
// branches of the tree they are added up in: enough of them to keep the threads busy, all powers of two.
std::size_t branches_for(std::size_t leaves, std::size_t threads) {
  constexpr std::size_t kPerThread = 4;
  std::size_t branches = 1;
  while (branches < leaves && threads > 1 && branches < kPerThread * threads) branches *= 2;
  return branches;
}

// A branch of the tree of data::add_up, from left to right.
template <typename SolveLeaf>
void add_leaves(std::size_t first, std::size_t count, const SolveLeaf& solve_leaf, Moments& out) {
  if (count == 1) return solve_leaf(first, out);
  add_leaves(first, count / 2, solve_leaf, out);
  Moments right;
  add_leaves(first + count / 2, count / 2, solve_leaf, right);
  out += right;
}

}  // namespace

Holder::Holder(data::SharedColumns columns, Executor& executor, std::shared_ptr<const Loss> loss)
    : columns_(std::move(columns)),
      executor_(executor),
      loss_(std::move(loss)),
      leaves_(data::leaves(columns_->rows(), columns_->count())) {
  fix_product_blocking();
}

double Holder::entry_sum() const { return data::entry_sum(*columns_, executor_); }

std::vector<double> Holder::column_totals() const { return data::column_totals(*columns_, executor_); }

std::vector<double> Holder::present_counts() const { return data::present_counts(*columns_); }

void Holder::enter(data::SharedColumns columns) {
  PPDNMF_CHECK(rank_ == 0 && columns->rows() == rows() && columns->count() == count());
  columns_ = std::move(columns);
  walked_ = nullptr;
}

void Holder::begin(Index rank, double scale) {
  PPDNMF_CHECK(rank_ == 0 && rank >= 1 && scale > 0);
  rank_ = rank;
  scale_ = scale;
  constants_.resize(static_cast<std::size_t>(count()));
  std::vector<double> norms(leaves_.size());
  data::for_each_leaf(leaves_, executor_, [&](std::size_t i, const data::Range& range) {
    double* const own = constants_.data() + range.first;
    loss_->constants(*columns_, range, scale, own);
    norms[i] = data::paired_sum(range.count, 0, [&](Index m) { return own[m]; });
  });
  squared_norm_ = data::add_up(std::move(norms), [](double& a, double b) { a += b; });
}

Common Holder::common() const {
  Common common{scale_, {}};
  if (loss_->options().missing) {
    common.present = present_counts();
    for (double& part : common.present) part /= static_cast<double>(count());
  }
  if (loss_->wants_row_totals()) common.row_totals = data::row_totals(*columns_, scale_, executor_);
  return common;
}

Leaf Holder::leaf(const data::Range& range) const { return {*walked_, range, scale_, constants_.data() + range.first}; }

void Holder::walk_without_zeros() {
  if (walked_ == nullptr) walked_ = columns_->in_memory() ? data::without_zeros(columns_) : columns_;
}

Moments Holder::solve(const YStep& step, Matrix& Y) {
  walk_without_zeros();
  const std::unique_ptr<LossAtX> at = loss_->at(step);
  const bool sums = loss_->options().penalties.any();
  const auto solve_leaf = [&](std::size_t i, Moments& out) {
    at->solve(leaf(leaves_[i]), Y, Y_, out);
    if (sums) out.Y_sums = sums_of(Y, leaves_[i]);
  };
  const std::size_t branches = branches_for(leaves_.size(), executor_.threads());
  const std::size_t of_branch = leaves_.size() / branches;
  parts_.resize(branches);
  const auto add_branch = [&](std::size_t i) { add_leaves(i * of_branch, of_branch, solve_leaf, parts_[i]); };
  if (branches == 1) {
    add_branch(0);
  } else {
    executor_.for_each(branches, add_branch);
  }
  return add_up_moments(parts_, executor_);
}

Moments Holder::answer(const DescentRequest& request) {
  PPDNMF_CHECK(rank_ > 0 && request.X.cols() == rank_ && request.X.rows() == rows());
  if (Y_.size() == 0 || request.restart) {
    Y_ = before_ = Matrix::Zero(rank_, count());
    extrapolation_ = 0;
    gauge_ = request.gauge;
    if (has_own_part()) V_ = V_before_ = Matrix::Zero(rows(), rank_);
  }
  if (request.take_back) settle(false);
  Matrix next = (Y_ + extrapolation_ * (Y_ - before_)).cwiseMax(0);
  for (Index k = 0; k < rank_ && loss_->options().penalties.any(); ++k) {
    if (!(request.X.col(k).maxCoeff() > 0)) next.row(k).setZero();  // no step would (Loss::gone)
  }
  const Effort from_nothing = request.thorough ? Effort::kThorough : Effort::kFromNothing;
  const Effort effort = request.restart ? from_nothing : Effort::kUsual;
  const YStep step{request.X, request.unhurried ? Effort::kUnhurried : effort, request.extrapolation,
                   !request.measure_only, loss_->y_weights(request, scale_)};
  Moments moments = has_own_part() ? solve_with_own_part(request, step, next) : solve(step, next);
  before_ = std::exchange(Y_, std::move(next));
  extrapolation_ = request.extrapolation;
  gauge_before_ = std::exchange(gauge_, request.gauge);
  return moments;
}

// Y for X + V, then V for X and that Y; what is told are the moments of Z - V Y.
Moments Holder::solve_with_own_part(const DescentRequest& request, const YStep& step, Matrix& Y) {
  constexpr int kSweeps = 100;
  constexpr double kPart = 1e-2;
  const double weight = loss_->options().site_effects;
  const Matrix all = request.X + V_;
  const Matrix added = weight * (V_.transpose() * V_);
  Moments moments = solve({all, step.effort, step.extrapolation, step.moments, step.weights, &added}, Y);
  V_before_ = V_;
  if (!step.moments) return moments;
  if (request.own_parts) {
    internal::descend_rows(automatic_lanes(), (1 + weight) * moments.T, moments.S - request.X * moments.T, kSweeps,
                           kPart, V_, executor_);
  }
  moments.S -= V_ * moments.T;
  return moments;
}

BoundedMoments Holder::bounded_answer(const Matrix& X, const Bounds& bounds) {
  return bounded_parts(X, bounds, nullptr);
}

BoundedMoments Holder::bounded_answer_in(const Matrix& U, const Matrix& X, const Bounds& bounds) {
  PPDNMF_CHECK(U.rows() == rows());
  return bounded_parts(X, bounds, &U);
}

RoundedSecondMoments Holder::rounded_second_moments(int bits) {
  constexpr int kMaxBits = 20;
  PPDNMF_CHECK(rank_ > 0 && bits >= 1 && bits <= kMaxBits);
  PPDNMF_CHECK(static_cast<double>(count()) < std::ldexp(1, 53 - 2 * bits));
  walk_without_zeros();
  return internal::rounded_second_moments(*walked_, scale_, bits, executor_);
}

BoundedMoments Holder::bounded_parts(const Matrix& X, const Bounds& bounds, const Matrix* basis) {
  PPDNMF_CHECK(rank_ > 0 && X.cols() == rank_ && X.rows() == rows());
  PPDNMF_CHECK(bounds.bound > 0 && bounds.unit > 0 && bounds.t_weight > 0);
  PPDNMF_CHECK(static_cast<double>(count()) * bounds.bound / bounds.unit < 0x1p52);
  if (Y_.size() == 0) Y_ = before_ = Matrix::Zero(rank_, count());
  Matrix next = Y_;
  const Moments solved = solve({X, Effort::kBounded, 0, false, {}}, next);
  before_ = std::exchange(Y_, std::move(next));
  std::vector<BoundedMoments> parts(leaves_.size());
  data::for_each_leaf(leaves_, executor_, [&](std::size_t i, const data::Range& range) {
    parts[i] = loss_->bounded(leaf(range), Y_, bounds, basis);
  });
  BoundedMoments moments = data::add_up(std::move(parts), [](BoundedMoments& a, const BoundedMoments& b) { a += b; });
  moments.squared_error = solved.squared_error;
  return moments;
}

// From left to right on one thread: a matrix of rows x rows for every leaf would not fit into memory.
Matrix Holder::second_moments() const {
  PPDNMF_CHECK(rank_ > 0);
  Matrix G = Matrix::Zero(rows(), rows());
  std::vector<double> space;
  data::walk(*columns_, {0, count()}, [&](const data::Block& block, const data::Range& /*range*/) {
    for (Index m = 0; m < block.count; ++m) {
      const double* const z = data::dense_column(block, m, space);
      for (Index k = 0; k < rows(); ++k) {
        if (z[k] == 0) continue;
        const double by = z[k] / scale_;
        for (Index j = 0; j <= k; ++j) G(j, k) += by * (z[j] / scale_);
      }
    }
  });
  G.triangularView<Eigen::StrictlyLower>() = G.transpose();
  return G;
}

void Holder::settle(bool accepted) {
  if (accepted) return;
  Y_ = before_;
  V_ = V_before_;
  gauge_ = gauge_before_;
  extrapolation_ = 0;
}

std::unique_ptr<Holder> Holder::again() const { return std::make_unique<Holder>(columns_, executor_, loss_); }

std::unique_ptr<Holder> Holder::resampled(const Seed& seed) const {
  return std::make_unique<Holder>(nmf::resampled(*columns_, loss_->kind(), seed, executor_), executor_, loss_);
}

Matrix Holder::Y() const {
  Matrix Y = scale_ * Y_;
  Loss::show_Y(gauge_, Y);
  columns_->restore_units(Y);
  return Y;
}

bool Holder::has_own_part() const { return loss_->options().site_effects > 0; }

bool Holder::all_finite() const {
  return Y_.allFinite() && before_.allFinite() && V_.allFinite() && V_before_.allFinite();
}

bool Holder::in_range() const {
  for (const std::vector<double>* gauge : {&gauge_, &gauge_before_}) {
    if (!Loss::possible_gauge(*gauge)) return false;
  }
  return all_finite() && (Y_.array() >= 0).all() && (before_.array() >= 0).all() && (V_.array() >= 0).all() &&
         (V_before_.array() >= 0).all() && extrapolation_ >= 0 && extrapolation_ <= 1;
}

void Holder::save(ByteWriter& out) const {
  out.put<std::uint8_t>(Y_.size() > 0 ? 1 : 0);
  if (Y_.size() == 0) return;
  for (const Matrix* matrix : {&Y_, &before_, &V_, &V_before_})  // no V: nothing is written
    out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  out.put(extrapolation_);
  if (!loss_->options().penalties.any()) return;
  for (const std::vector<double>* gauge : {&gauge_, &gauge_before_}) out.put_array(gauge->data(), gauge->size());
}

void Holder::load(ByteReader& in) {
  Y_ = before_ = V_ = V_before_ = Matrix();
  extrapolation_ = 0;
  if (in.get<std::uint8_t>() == 0) return;
  Y_ = before_ = Matrix::Zero(rank_, count());
  if (has_own_part()) V_ = V_before_ = Matrix::Zero(rows(), rank_);
  for (Matrix* matrix : {&Y_, &before_, &V_, &V_before_})
    in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  extrapolation_ = in.get<double>();
  if (!loss_->options().penalties.any()) return;
  for (std::vector<double>* gauge : {&gauge_, &gauge_before_}) {
    gauge->resize(static_cast<std::size_t>(rank_));
    in.get_array(gauge->data(), gauge->size());
  }
}

std::unique_ptr<Holder> dense_holder(Matrix Z) { return std::make_unique<Holder>(data::own(std::move(Z))); }

std::unique_ptr<Holder> unit_holder(Matrix Z, ColumnNorm norm) {
  return std::make_unique<Holder>(data::unit_columns(data::own(std::move(Z)), norm));
}

}  // namespace ppdnmf::nmf
