#include <ppdnmf/nmf/internal/bounded_moments.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <ppdnmf/nmf/internal/column_descent.h>
#include <ppdnmf/nmf/lanes.h>

namespace ppdnmf::nmf::internal {
namespace {

// The bound of one column of a person that has so many.
double bound_of(Index columns, std::size_t entries, const Bounds& bounds) {
  if (columns == 1) return bounds.bound;
  const auto m = static_cast<double>(columns);
  const double rounding = std::sqrt(static_cast<double>(entries)) * bounds.unit / 2;
  return std::max(0.0, (bounds.bound - (m - 1) * rounding) / m);
}

// A column's weight: 1, or what brings its part down to its bound.
double weight_of(double squared_norm, const double* y, Index rank, double bound, double t_weight) {
  double squares = 0;
  double fourth_powers = 0;
  for (Index k = 0; k < rank; ++k) {
    const double square = y[k] * y[k];
    squares += square;
    fourth_powers += square * square;
  }
  const double triangle = (squares * squares + fourth_powers) / 2;  // ||upper(y yᵀ)||²
  const double norm = std::sqrt(squared_norm * squares + t_weight * t_weight * triangle);
  return norm > bound ? bound / norm : 1;
}

// Adds up parts of columns with `rows` entries.
class PartSum {
 public:
  PartSum(Index rows, Index rank, double scale, const Bounds& bounds)
      : rows_(rows), rank_(rank), inverse_(1 / scale), magic_(0x1.8p52 * bounds.unit), bounds_(bounds) {
    out_.values.assign(static_cast<std::size_t>(rows * rank + rank * (rank + 1) / 2), 0);
  }

  // z in units of the data, its squared norm after division by the scale.
  void add(const double* z, const double* y, double squared_norm, Index of_person) {
    const double bound = bound_of(of_person, out_.values.size(), bounds_);
    const double weight = weight_of(squared_norm, y, rank_, bound, bounds_.t_weight);
    out_.touched += weight < 1 ? 1 : 0;
    out_.least_weight = std::min(out_.least_weight, weight);
    double* to = out_.values.data();
    double* triangle = to + rows_ * rank_;
    for (Index k = 0; k < rank_; ++k, to += rows_) {
      const double factor = weight * y[k];
      for (Index j = 0; j <= k; ++j) *triangle++ += (bounds_.t_weight * factor * y[j] + magic_) - magic_;
      if (factor == 0) continue;
      const double of_data = factor * inverse_;
      for (Index l = 0; l < rows_; ++l) to[l] += (of_data * z[l] + magic_) - magic_;
    }
  }
  [[nodiscard]] BoundedMoments take() { return std::move(out_); }

 private:
  Index rows_, rank_;
  double inverse_;
  double magic_;  // doubles of this size are multiples of the unit: adding it rounds, and taking it away again is exact
  Bounds bounds_;
  BoundedMoments out_;
};

}  // namespace

BoundedMoments bounded_moments(const Leaf& leaf, const Matrix& Y, const Bounds& bounds) {
  const Index K = Y.rows();
  PartSum sum(leaf.columns.rows(), K, leaf.scale, bounds);
  std::vector<double> space;
  data::walk(leaf.columns, leaf.range, [&](const data::Block& block, const data::Range& range) {
    for (Index m = 0; m < block.count; ++m) {
      const Index column = range.first + m;
      sum.add(data::dense_column(block, m, space), Y.data() + column * K, leaf.constants[column - leaf.range.first],
              leaf.columns.columns_of_person(column));
    }
  });
  return sum.take();
}

BoundedMoments bounded_moments_in(const Matrix& U, const Leaf& leaf, const Matrix& Y, const Bounds& bounds) {
  const Index K = Y.rows();
  PartSum sum(U.cols(), K, leaf.scale, bounds);
  const GroupedColumns grouped(U);
  Matrix UtZ;
  data::walk(leaf.columns, leaf.range, [&](const data::Block& block, const data::Range& range) {
    UtZ.resize(grouped.groups() * kLanes, round_up(block.count, kTileColumns));
    multiply_block(automatic_lanes(), grouped, block, UtZ);
    for (Index m = 0; m < block.count; ++m) {
      const double* const v = UtZ.data() + m * UtZ.rows();
      double squares = 0;
      for (Index k = 0; k < U.cols(); ++k) squares += v[k] / leaf.scale * (v[k] / leaf.scale);
      const Index column = range.first + m;
      sum.add(v, Y.data() + column * K, squares, leaf.columns.columns_of_person(column));
    }
  });
  return sum.take();
}

}  // namespace ppdnmf::nmf::internal
