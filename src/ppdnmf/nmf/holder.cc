#include <ppdnmf/nmf/holder.h>

#include <cmath>
#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/internal/rounded_columns.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {

Holder::Holder(data::SharedColumns columns, Executor& executor, std::shared_ptr<const Loss> loss)
    : columns_(std::move(columns)),
      executor_(executor),
      loss_(std::move(loss)),
      leaves_(data::leaves(columns_->rows(), columns_->count())) {
  fix_product_blocking();
}

double Holder::entry_sum() const { return data::entry_sum(*columns_, executor_); }

void Holder::replace(data::SharedColumns columns) {
  PPDNMF_CHECK(rank_ == 0 && columns->rows() == rows() && columns->count() == count());
  columns_ = std::move(columns);
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
  if (loss_->wants_row_totals()) common.row_totals = data::row_totals(*columns_, scale_, executor_);
  return common;
}

Leaf Holder::leaf(const data::Range& range) const { return {*walked_, range, scale_, constants_.data() + range.first}; }

void Holder::walk_without_zeros() {
  if (walked_ == nullptr) walked_ = data::without_zeros(columns_);
}

Moments Holder::solve(const YStep& step, Matrix& Y) {
  walk_without_zeros();
  const std::unique_ptr<LossAtX> at = loss_->at(step);
  parts_.resize(leaves_.size());
  data::for_each_leaf(leaves_, executor_,
                      [&](std::size_t i, const data::Range& range) { at->solve(leaf(range), Y, Y_, parts_[i]); });
  return add_up_moments(parts_, executor_);
}

Moments Holder::answer(const DescentRequest& request) {
  PPDNMF_CHECK(rank_ > 0 && request.X.cols() == rank_ && request.X.rows() == rows());
  if (Y_.size() == 0 || request.restart) {
    Y_ = before_ = Matrix::Zero(rank_, count());
    extrapolation_ = 0;
  }
  if (request.take_back) settle(false);
  Matrix next = (Y_ + extrapolation_ * (Y_ - before_)).cwiseMax(0);
  const Effort from_nothing = request.thorough ? Effort::kThorough : Effort::kFromNothing;
  const Effort effort = request.restart ? from_nothing : Effort::kUsual;
  const YStep step{request.X, request.unhurried ? Effort::kUnhurried : effort, request.extrapolation,
                   !request.measure_only};
  Moments moments = solve(step, next);
  before_ = std::exchange(Y_, std::move(next));
  extrapolation_ = request.extrapolation;
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
  constexpr int kMostBits = 20;
  PPDNMF_CHECK(rank_ > 0 && bits >= 1 && bits <= kMostBits);
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
  const Moments solved = solve({X, Effort::kBounded, 0, false}, next);
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
  extrapolation_ = 0;
}

Matrix Holder::Y() const {
  Matrix Y = scale_ * Y_;
  columns_->restore_units(Y);
  return Y;
}

bool Holder::all_finite() const { return Y_.allFinite() && before_.allFinite(); }

bool Holder::in_range() const {
  return all_finite() && (Y_.array() >= 0).all() && (before_.array() >= 0).all() && extrapolation_ >= 0 &&
         extrapolation_ <= 1;
}

void Holder::save(ByteWriter& out) const {
  out.put<std::uint8_t>(Y_.size() > 0 ? 1 : 0);
  if (Y_.size() == 0) return;
  for (const Matrix* matrix : {&Y_, &before_}) out.put_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  out.put(extrapolation_);
}

void Holder::load(ByteReader& in) {
  Y_ = before_ = Matrix();
  extrapolation_ = 0;
  if (in.get<std::uint8_t>() == 0) return;
  Y_ = before_ = Matrix::Zero(rank_, count());
  for (Matrix* matrix : {&Y_, &before_}) in.get_array(matrix->data(), static_cast<std::size_t>(matrix->size()));
  extrapolation_ = in.get<double>();
}

std::unique_ptr<Holder> dense_holder(Matrix Z) { return std::make_unique<Holder>(data::own(std::move(Z))); }

std::unique_ptr<Holder> unit_holder(Matrix Z, ColumnNorm norm) {
  return std::make_unique<Holder>(data::unit_columns(data::own(std::move(Z)), norm));
}

}  // namespace ppdnmf::nmf
