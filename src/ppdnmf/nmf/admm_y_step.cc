#include <ppdnmf/nmf/admm_y_step.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {
namespace {

// So many columns run through all iterations before the next ones are touched: they stay in the cache.
constexpr Index kBlock = 64;
static_assert(data::kLeafUnit % kBlock == 0);

using DenseBlock = Eigen::Map<const Matrix>;

// A range of columns as Eigen's products want it. Columns that do not lie dense are written out in `space`.
DenseBlock dense_block(const data::Columns& columns, const data::Range& range, data::Scratch& scratch, Matrix& space) {
  const data::Block block = columns.lend(range, scratch);
  if (block.dense()) return {block.values, block.rows, block.count};
  space.resize(block.rows, block.count);
  std::vector<double> column;
  for (Index m = 0; m < block.count; ++m)
    std::copy_n(data::dense_column(block, m, column), block.rows, space.col(m).data());
  return {space.data(), space.rows(), space.cols()};
}

}  // namespace

AdmmYStep::AdmmYStep(Index rank, data::SharedColumns columns, double scale, Executor& executor)
    : columns_(std::move(columns)),
      unscale_(1 / scale),
      executor_(executor),
      leaves_(data::leaves(columns_->rows(), columns_->count())),
      Y_(Matrix::Zero(rank, columns_->count())),
      V_(Y_),
      R_(Y_),
      XtZ_(rank, columns_->count()),
      squared_norm_(data::squared_norm(*columns_, executor) * unscale_ * unscale_) {
  fix_product_blocking();
}

AdmmYStep::AdmmYStep(const Holder& holder) : AdmmYStep(holder.rank_, holder.columns_, holder.scale_, holder.executor_) {
  PPDNMF_CHECK(holder.rank_ > 0);
}

void AdmmYStep::solve(const Matrix& X, double eta, int iterations) {
  PPDNMF_CHECK(eta > 0 && iterations >= 1 && X.cols() == Y_.rows() && X.rows() == columns_->rows());
  if (eta_ > 0 && eta_ != eta) R_ *= eta_ / eta;
  eta_ = eta;
  const Index K = X.cols();
  const Matrix gram = X.transpose() * X;
  Matrix damped = gram;
  damped.diagonal().array() += eta;
  const Matrix inverse = damped.llt().solve(Matrix::Identity(K, K));
  std::vector<Terms> terms(leaves_.size());
  data::for_each_leaf(leaves_, executor_, [&](std::size_t i, const data::Range& leaf) {
    terms[i] = solve_leaf(X, gram, inverse, iterations, leaf);
  });
  const Terms all = data::add_up(std::move(terms), [](Terms& a, const Terms& b) {
    a.cross += b.cross;
    a.model += b.model;
  });
  const double cheap = squared_norm_ - 2 * all.cross + all.model;
  constexpr double kDigitsLost = 1e-8;
  squared_error_ = cheap;
  if (cheap > kDigitsLost * squared_norm_) return;
  std::vector<double> errors(leaves_.size());
  data::for_each_leaf(leaves_, executor_,
                      [&](std::size_t i, const data::Range& leaf) { errors[i] = residual(X, leaf); });
  squared_error_ = data::add_up(std::move(errors), [](double& a, double b) { a += b; });
}

AdmmYStep::Terms AdmmYStep::solve_leaf(const Matrix& X, const Matrix& gram, const Matrix& inverse, int iterations,
                                       const data::Range& leaf) {
  const Index K = X.cols();
  data::Scratch scratch;
  Matrix space;
  // The products are divided by the scale, not the data: the bits are the same.
  Eigen::Map<Matrix> all_XtZ(XtZ_.data() + leaf.first * K, K, leaf.count);
  all_XtZ.noalias() = X.transpose() * dense_block(*columns_, leaf, scratch, space);
  all_XtZ *= unscale_;
  Matrix right(K, std::min(kBlock, leaf.count));
  for (Index first = leaf.first; first < leaf.first + leaf.count; first += kBlock) {
    const Index count = std::min(kBlock, leaf.first + leaf.count - first);
    auto Y = Y_.middleCols(first, count);
    auto V = V_.middleCols(first, count);
    auto R = R_.middleCols(first, count);
    const auto XtZ = XtZ_.middleCols(first, count);
    auto work = right.leftCols(count);
    for (int k = 0; k < iterations; ++k) {
      Y = (V + R).cwiseMax(0);
      work = XtZ + eta_ * (Y - R);
      V.noalias() = inverse * work;
      R += V - Y;
    }
  }
  const Eigen::Map<const Matrix> Y(Y_.data() + leaf.first * K, K, leaf.count);
  return {(all_XtZ.array() * Y.array()).sum(), ((gram * Y).array() * Y.array()).sum()};
}

// ||Z - X Y||^2 of a leaf, without a matrix as large as Z.
double AdmmYStep::residual(const Matrix& X, const data::Range& leaf) const {
  data::Scratch scratch;
  Matrix space;
  data::PairedSum sum;
  for (Index first = leaf.first; first < leaf.first + leaf.count; first += kBlock) {
    const Index count = std::min(kBlock, leaf.first + leaf.count - first);
    const DenseBlock Z = dense_block(*columns_, {first, count}, scratch, space);
    const Matrix model = X * Y_.middleCols(first, count);
    sum.add(model.size(), [&](Index t) {
      const double difference = Z.data()[t] * unscale_ - model.data()[t];
      return difference * difference;
    });
  }
  return sum.total();
}

Moments AdmmYStep::moments() const {
  std::vector<Moments> parts(leaves_.size());
  data::for_each_leaf(leaves_, executor_, [&](std::size_t i, const data::Range& leaf) {
    data::Scratch scratch;
    Matrix space;
    const DenseBlock Z = dense_block(*columns_, leaf, scratch, space);
    const DenseBlock Y(Y_.data() + leaf.first * Y_.rows(), Y_.rows(), leaf.count);
    parts[i].S = Z * Y.transpose();
    parts[i].S *= unscale_;
    parts[i].T = Y * Y.transpose();
  });
  Moments all = data::add_up(std::move(parts), [](Moments& a, const Moments& b) { a += b; });
  all.squared_error = squared_error_;
  return all;
}

Matrix AdmmYStep::coordinates() const {
  Matrix Y = Y_ / unscale_;
  columns_->restore_units(Y);
  return Y;
}

bool AdmmYStep::in_range() const {
  return all_finite() && R_.allFinite() && std::isfinite(eta_) && eta_ >= 0 && std::isfinite(squared_error_);
}

void AdmmYStep::save(ByteWriter& out) const {
  for (const Matrix* matrix : {&Y_, &V_, &R_}) out.put_array(matrix->data(), matrix->size());
  out.put(eta_);
  out.put(squared_error_);
}

void AdmmYStep::load(ByteReader& in) {
  for (Matrix* matrix : {&Y_, &V_, &R_}) in.get_array(matrix->data(), matrix->size());
  eta_ = in.get<double>();
  squared_error_ = in.get<double>();
}

}  // namespace ppdnmf::nmf
