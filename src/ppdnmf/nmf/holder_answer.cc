// What a holder answers: its Y step, and the sums after it.
#include <memory>
#include <optional>
#include <utility>

#include <ppdnmf/base/parts.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/internal/leaf_tree.h>
#include <ppdnmf/nmf/internal/row_products.h>
#include <ppdnmf/nmf/internal/row_sums.h>
#include <ppdnmf/nmf/lanes.h>

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

Matrix Holder::sum_by_rows() {
  data::Scratch scratch;
  const data::Block block = walked_->lend({0, count()}, scratch);
  const Index groups = internal::round_up(rank_, internal::kLanes) / internal::kLanes;
  return internal::RowSums{automatic_lanes(), block, leaves_, *bands_, ys_.data(), groups, 1 / scale_}.run(
      rank_, executor_, std::move(used_S_));
}

// Xᵀz of all columns, to where their y's come later, and XᵀX; nothing where that does not pay.
std::optional<Matrix> Holder::products_by_rows(const Matrix& X) {
  data::Scratch scratch;
  const data::Block block = walked_->lend({0, count()}, scratch);
  if (!internal::RowProducts::pay(block, rank_)) return std::nullopt;
  return internal::RowProducts{automatic_lanes(), block, X, bands_->rooms->front()}.run(ys_.data(), executor_);
}

// Memory as large as X that is new in every answer comes from the system a page at a time: it is kept, but not twice.
std::unique_ptr<LossAtX> Holder::loss_at(YStep step) {
  const bool by_rows = bands_ != nullptr;
  wants_prepared_ = loss_->kind() == LossKind::kSquares;
  if (!step.moments) {  // a measure is the last there is
    internal::LineVector().swap(ys_);
    internal::LineVector().swap(room_);
    used_S_ = {};
    if (by_rows) bands_->rooms->clear();
    return loss_->at(step);
  }
  if (!by_rows) {
    if (used_S_.size() > 0) step.room = &room_;
    return loss_->at(step);
  }
  ys_.resize(internal::numbers(internal::round_up(rank_, internal::kLanes) * count()), 0.0);
  if (bands_->rooms->empty()) bands_->rooms->emplace_back();
  const std::optional<Matrix> gram = products_by_rows(step.X);
  if (gram) {
    step.gram = &*gram;
    wants_prepared_ = false;
  } else if (step.prepared != nullptr) {
    // somebody has made it
  } else if (internal::RowProducts::is_long(rows(), rank_)) {
    used_S_ = {};
  } else {
    step.room = &bands_->rooms->front().sums;  // which sums need later
  }
  return loss_->at(step);
}

std::vector<Moments> Holder::solve(const YStep& step, Matrix& Y) {
  walk_without_zeros();
  std::unique_ptr<LossAtX> at = loss_at(step);
  const bool sums = loss_->options().penalties.any();
  const bool by_rows = bands_ != nullptr;
  const Index padded = internal::round_up(rank_, internal::kLanes);
  const auto solve_leaf = [&](std::size_t i, Moments& out) {
    Leaf one = leaf(leaves_[i]);
    one.leaves_S = by_rows;
    one.ys = ys_.empty() ? nullptr : ys_.data() + leaves_[i].first * padded;
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
  if (tasks.size() == 1 && !by_rows) tasks.front().out->S.swap(used_S_);
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
  at.reset();  // what it has may be as large as X
  for (std::vector<Moments>& parts : parts_) {
    out.push_back(add_up_moments(parts, executor_, by_rows ? Matrix() : std::exchange(used_S_, {})));
  }
  if (by_rows && step.moments) out.front().S = sum_by_rows();
  return out;
}

Moments Holder::answer(const DescentRequest& request) { return std::move(answer_branches(request).front()); }

std::vector<Moments> Holder::answer_branches(const DescentRequest& request, const PreparedX* prepared) {
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
  YStep step{request.X,
             request.unhurried ? Effort::kUnhurried : effort,
             request.extrapolation,
             !request.measure_only,
             loss_->y_weights(request, scale_),
             request.few ? loss_->options().few : 0,
             nullptr,
             executor_,
             nullptr,
             nullptr,
             prepared};
  std::vector<Moments> moments;
  if (request.shrink.size() > 0) step.shrink = &request.shrink;
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

}  // namespace ppdnmf::nmf
