#include <ppdnmf/nmf/holder.h>

#include <cmath>
#include <utility>

#include <ppdnmf/base/parts.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/far_columns.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/internal/leaf_tree.h>
#include <ppdnmf/nmf/internal/rounded_columns.h>
#include <ppdnmf/nmf/internal/row_sums.h>
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

}  // namespace

Holder::Holder(data::SharedColumns columns, Executor& executor, std::shared_ptr<const Loss> loss)
    : columns_(std::move(columns)),
      executor_(executor),
      loss_(std::move(loss)),
      leaves_(data::leaves(columns_->rows(), columns_->count())),
      branches_{{0, leaves_.size()}} {
  fix_product_blocking();
}

Holder::Holder(data::SharedColumns columns, std::vector<data::Range> leaves, std::vector<data::Branch> branches,
               Executor& executor, std::shared_ptr<const Loss> loss)
    : columns_(std::move(columns)),
      executor_(executor),
      loss_(std::move(loss)),
      leaves_(std::move(leaves)),
      branches_(std::move(branches)) {
  fix_product_blocking();
}

double Holder::entry_sum() const { return data::entry_sum(*columns_, executor_); }

std::vector<double> Holder::column_totals() const { return data::column_totals(*columns_, executor_); }

std::vector<double> Holder::present_counts() const { return data::present_counts(*columns_); }

void Holder::enter(data::SharedColumns columns) {
  PPDNMF_CHECK(rank_ == 0 && columns->rows() == rows() && columns->count() == count());
  columns_ = std::move(columns);
  walked_ = nullptr;
  bands_ = nullptr;
}

void Holder::begin(Index rank, double scale) {
  squared_norm_ = data::add_up(begin_leaves(rank, scale), [](double& a, double b) { a += b; });
}

void Holder::begun(Index rank, double scale, double squared_norm) {
  PPDNMF_CHECK(rank_ == 0 && rank >= 1 && scale > 0);
  rank_ = rank;
  scale_ = scale;
  squared_norm_ = squared_norm;
}

std::vector<double> Holder::begin_leaves(Index rank, double scale) {
  begun(rank, scale, 0);
  constants_.resize(static_cast<std::size_t>(count()));
  std::vector<double> norms(leaves_.size());
  data::for_each_leaf(leaves_, executor_, [&](std::size_t i, const data::Range& range) {
    double* const own = constants_.data() + range.first;
    loss_->constants(*columns_, range, scale, own);
    norms[i] = data::paired_sum(range.count, 0, [&](Index m) { return own[m]; });
  });
  return norms;
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
  if (walked_ != nullptr) return;
  walked_ = columns_->in_memory() ? data::without_zeros(columns_) : columns_;
  plan_rows();
}

// Columns that are put together whenever they are lent would be so once for every band.
void Holder::plan_rows() {
  if (branches_.size() != 1 || !loss_->adds_S_by_rows() || data::lie_dense(*walked_) || data::has_gaps(*walked_))
    return;
  data::Scratch scratch;
  if (count() == 0 || !data::lie_as_lent(*walked_)) return;
  bands_ = std::make_shared<const internal::Bands>(
      internal::bands_of(walked_->lend({0, count()}, scratch), leaves_, rank_, executor_.threads()));
}

Matrix Holder::sum_by_rows() const {
  data::Scratch scratch;
  const data::Block block = walked_->lend({0, count()}, scratch);
  const Index groups = internal::round_up(rank_, internal::kLanes) / internal::kLanes;
  return internal::RowSums{automatic_lanes(), block, leaves_, *bands_, ys_.data(), groups, 1 / scale_}.run(rank_,
                                                                                                           executor_);
}

std::vector<Moments> Holder::solve(const YStep& step, Matrix& Y) {
  walk_without_zeros();
  std::unique_ptr<LossAtX> at = loss_->at(step);
  const bool sums = loss_->options().penalties.any();
  const bool by_rows = bands_ != nullptr;
  const Index padded = internal::round_up(rank_, internal::kLanes);
  if (by_rows && step.moments) {
    ys_.resize(internal::numbers(padded * count()), 0.0);
  } else {
    internal::LineVector().swap(ys_);  // a measure is the last there is
    if (by_rows) bands_->rooms->clear();
  }
  const auto solve_leaf = [&](std::size_t i, Moments& out) {
    Leaf one = leaf(leaves_[i]);
    one.leaves_S = by_rows;
    one.ys = by_rows && step.moments ? ys_.data() + leaves_[i].first * padded : nullptr;
    at->solve(one, Y, Y_, out);
    if (sums) out.Y_sums = sums_of(Y, leaves_[i]);
  };
  struct Task {
    std::size_t first, count;
    Moments* out;
    std::size_t right;  // its first place in right_parts_
  };
  std::vector<Task> tasks;
  parts_.resize(branches_.size());
  std::size_t before = 0;  // leaves are counted from the first one here
  std::size_t rights = 0;
  for (std::size_t b = 0; b < branches_.size(); before += branches_[b++].count) {
    const std::size_t smaller = internal::branches_for(branches_[b].count, executor_.threads());
    const std::size_t of_each = branches_[b].count / smaller;
    parts_[b].resize(smaller);
    for (std::size_t i = 0; i < smaller; ++i) {
      tasks.push_back({before + i * of_each, of_each, &parts_[b][i], rights});
      rights += internal::levels_of(of_each);
    }
  }
  right_parts_.resize(rights);
  const auto add_task = [&](std::size_t i) {
    const Task& task = tasks[i];
    internal::add_leaves(task.first, task.count, solve_leaf, *task.out, right_parts_.data() + task.right);
  };
  if (tasks.size() == 1) {
    add_task(0);
  } else {
    executor_.for_each(tasks.size(), add_task);
  }
  std::vector<Moments> out;
  for (std::vector<Moments>& parts : parts_) out.push_back(add_up_moments(parts, executor_));
  at.reset();  // what it has is as large as X, and as S
  if (by_rows && step.moments) out.front().S = sum_by_rows();
  return out;
}

Moments Holder::answer(const DescentRequest& request) { return std::move(answer_branches(request).front()); }

std::vector<Moments> Holder::answer_branches(const DescentRequest& request) {
  PPDNMF_CHECK(rank_ > 0 && request.X.cols() == rank_ && request.X.rows() == rows());
  if (Y_.size() == 0 || request.restart) {
    Y_ = before_ = Matrix::Zero(rank_, count());
    extrapolation_ = 0;
    gauge_ = request.gauge;
    if (has_own_part()) V_ = V_before_ = Matrix::Zero(rows(), rank_);
  }
  if (request.take_back) settle(false);
  Matrix& next = before_;  // what was there before is not needed any more
  constexpr std::size_t kColumnsAtATime = 2048;
  for_each_part(executor_, internal::numbers(count()), kColumnsAtATime,
                [&](std::size_t, std::size_t from, std::size_t some) {
                  const auto first = static_cast<Index>(from);
                  const auto columns = static_cast<Index>(some);
                  next.middleCols(first, columns) =
                      (Y_.middleCols(first, columns) +
                       extrapolation_ * (Y_.middleCols(first, columns) - next.middleCols(first, columns)))
                          .cwiseMax(0);
                });
  for (Index k = 0; k < rank_ && loss_->options().ends_components(); ++k) {
    if (!(request.X.col(k).maxCoeff() > 0)) next.row(k).setZero();  // no step would (Loss::gone)
  }
  const Effort from_nothing = request.thorough ? Effort::kThorough : Effort::kFromNothing;
  const Effort effort = request.restart ? from_nothing : Effort::kUsual;
  const YStep step{request.X,
                   request.unhurried ? Effort::kUnhurried : effort,
                   request.extrapolation,
                   !request.measure_only,
                   loss_->y_weights(request, scale_),
                   request.few ? loss_->options().few : 0,
                   nullptr,
                   executor_};
  std::vector<Moments> moments;
  if (has_own_part()) {
    moments.push_back(solve_with_own_part(request, step, next));
  } else {
    moments = solve(step, next);
  }
  before_.swap(Y_);
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
  PPDNMF_CHECK(branches_.size() == 1);
  Moments moments = std::move(
      solve({all, step.effort, step.extrapolation, step.moments, step.weights, 0, &added, executor_}, Y).front());
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
  BoundedBranches branches = bounded_branches(X, bounds, basis);
  branches.sum.squared_error = branches.squared_errors.front();
  return std::move(branches.sum);
}

Holder::BoundedBranches Holder::bounded_branches(const Matrix& X, const Bounds& bounds, const Matrix* basis) {
  PPDNMF_CHECK(rank_ > 0 && X.cols() == rank_ && X.rows() == rows());
  PPDNMF_CHECK(bounds.bound > 0 && bounds.unit > 0 && bounds.t_weight > 0);
  PPDNMF_CHECK(static_cast<double>(count()) * bounds.bound / bounds.unit < 0x1p52);
  if (Y_.size() == 0) Y_ = before_ = Matrix::Zero(rank_, count());
  Matrix next = Y_;
  BoundedBranches out;
  for (const Moments& solved : solve({X, Effort::kBounded, 0, false, {}, 0, nullptr, executor_}, next))
    out.squared_errors.push_back(solved.squared_error);
  before_ = std::exchange(Y_, std::move(next));
  std::vector<BoundedMoments> parts(leaves_.size());
  data::for_each_leaf(leaves_, executor_, [&](std::size_t i, const data::Range& range) {
    parts[i] = loss_->bounded(leaf(range), Y_, bounds, basis);
  });
  out.sum = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) out.sum += parts[i];
  return out;
}

Matrix Holder::second_moments() const {
  PPDNMF_CHECK(rank_ > 0);
  Matrix G = Matrix::Zero(rows(), rows());
  add_second_moments(G);
  G.triangularView<Eigen::StrictlyLower>() = G.transpose();
  return G;
}

// From left to right on one thread: a matrix of rows x rows for every leaf would not fit into memory.
void Holder::add_second_moments(Matrix& G) const {
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
}

void Holder::settle(bool accepted) {
  if (accepted) return;
  Y_ = before_;
  V_ = V_before_;
  gauge_ = gauge_before_;
  extrapolation_ = 0;
}

std::unique_ptr<Holder> Holder::again() const { return std::make_unique<Holder>(columns_, executor_, loss_); }

std::unique_ptr<Holder> Holder::resampled(const Seed& seed, std::shared_ptr<const Loss> loss) const {
  return std::make_unique<Holder>(nmf::resampled(*columns_, loss_->kind(), seed, executor_), executor_,
                                  std::move(loss));
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

void Holder::take_coordinates(Coordinates taken) {
  Y_ = std::move(taken.Y);
  before_ = std::move(taken.before);
  extrapolation_ = taken.extrapolation;
  gauge_ = std::move(taken.gauge);
  gauge_before_ = std::move(taken.gauge_before);
}

std::unique_ptr<Holder> make_holder(data::SharedColumns columns, Executor& executor, std::shared_ptr<const Loss> loss) {
  if (const auto* const far = dynamic_cast<const FarColumns*>(columns.get()))
    return far->holder(std::move(columns), executor, std::move(loss));
  return std::make_unique<Holder>(std::move(columns), executor, std::move(loss));
}

std::unique_ptr<Holder> dense_holder(Matrix Z) { return std::make_unique<Holder>(data::own(std::move(Z))); }

std::unique_ptr<Holder> unit_holder(Matrix Z, ColumnNorm norm) {
  return std::make_unique<Holder>(data::unit_columns(data::own(std::move(Z)), norm));
}

}  // namespace ppdnmf::nmf
