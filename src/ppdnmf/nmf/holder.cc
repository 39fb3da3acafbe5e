#include <ppdnmf/nmf/holder.h>

#include <cmath>
#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/far_columns.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/internal/rounded_columns.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/products.h>
#include <ppdnmf/nmf/resample.h>

namespace ppdnmf::nmf {

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
    common.columns = static_cast<double>(count());
  }
  if (loss_->wants_row_totals()) common.row_totals = data::row_totals(*columns_, scale_, executor_);
  return common;
}

Leaf Holder::leaf(const data::Range& range) const { return {*walked_, range, scale_, constants_.data() + range.first}; }

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
