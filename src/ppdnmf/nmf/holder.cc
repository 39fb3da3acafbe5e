#include <ppdnmf/nmf/holder.h>

#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {

Holder::Holder(data::SharedColumns columns, Executor& executor, const Loss& loss)
    : columns_(std::move(columns)),
      executor_(executor),
      loss_(loss),
      leaves_(data::leaves(columns_->rows(), columns_->count())) {
  fix_product_blocking();
}

double Holder::entry_sum() const { return data::entry_sum(*columns_, executor_); }

void Holder::begin(Index rank, double scale) {
  PPDNMF_CHECK(rank_ == 0 && rank >= 1 && scale > 0);
  rank_ = rank;
  scale_ = scale;
  constants_.resize(static_cast<std::size_t>(count()));
  std::vector<double> norms(leaves_.size());
  data::for_each_leaf(leaves_, executor_, [&](std::size_t i, const data::Range& range) {
    double* const own = constants_.data() + range.first;
    loss_.constants(*columns_, range, scale, own);
    norms[i] = data::paired_sum(range.count, 0, [&](Index m) { return own[m]; });
  });
  squared_norm_ = data::add_up(std::move(norms), [](double& a, double b) { a += b; });
}

std::vector<double> Holder::row_totals() const { return data::row_totals(*columns_, scale_, executor_); }

Leaf Holder::leaf(const data::Range& range) const {
  return {*walked_, range, scale_, constants_.data() + range.first};
}

Moments Holder::solve(const YStep& step, Matrix& Y) {
  if (walked_ == nullptr) walked_ = data::without_zeros(columns_);
  const std::unique_ptr<LossAtX> at = loss_.at(step);
  parts_.resize(leaves_.size());
  data::for_each_leaf(leaves_, executor_, [&](std::size_t i, const data::Range& range) {
    at->solve(leaf(range), Y, Y_, parts_[i]);
  });
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
  PPDNMF_CHECK(rank_ > 0 && X.cols() == rank_ && X.rows() == rows());
  PPDNMF_CHECK(bounds.bound > 0 && bounds.unit > 0 && bounds.t_weight > 0);
  PPDNMF_CHECK(static_cast<double>(count()) * bounds.bound / bounds.unit < 0x1p52);
  if (Y_.size() == 0) Y_ = before_ = Matrix::Zero(rank_, count());
  Matrix next = Y_;
  const Moments solved = solve({X, Effort::kBounded, 0, false}, next);
  before_ = std::exchange(Y_, std::move(next));
  std::vector<BoundedMoments> parts(leaves_.size());
  data::for_each_leaf(leaves_, executor_, [&](std::size_t i, const data::Range& range) {
    parts[i] = loss_.bounded(leaf(range), Y_, bounds);
  });
  BoundedMoments moments =
      data::add_up(std::move(parts), [](BoundedMoments& a, const BoundedMoments& b) { a += b; });
  moments.squared_error = solved.squared_error;
  return moments;
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
