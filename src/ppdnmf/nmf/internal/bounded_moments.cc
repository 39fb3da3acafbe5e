#include <ppdnmf/nmf/internal/bounded_moments.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

}  // namespace

BoundedMoments bounded_moments(const Leaf& leaf, const Matrix& Y, const Bounds& bounds) {
  const Index L = leaf.columns.rows();
  const Index K = Y.rows();
  const double inverse = 1 / leaf.scale;
  BoundedMoments out;
  out.values.assign(static_cast<std::size_t>(L * K + K * (K + 1) / 2), 0);
  // Doubles of this size are multiples of the unit: adding it rounds, and taking it away again is exact.
  const double magic = 0x1.8p52 * bounds.unit;
  const auto add = [&](const double* z, const double* y, double squared_norm, Index of_person) {
    const double weight =
        weight_of(squared_norm, y, K, bound_of(of_person, out.values.size(), bounds), bounds.t_weight);
    out.touched += weight < 1 ? 1 : 0;
    out.least_weight = std::min(out.least_weight, weight);
    double* to = out.values.data();
    double* triangle = to + L * K;
    for (Index k = 0; k < K; ++k, to += L) {
      const double factor = weight * y[k];
      for (Index j = 0; j <= k; ++j) *triangle++ += (bounds.t_weight * factor * y[j] + magic) - magic;
      if (factor == 0) continue;
      const double of_data = factor * inverse;
      for (Index l = 0; l < L; ++l) to[l] += (of_data * z[l] + magic) - magic;
    }
  };
  std::vector<double> space;
  data::walk(leaf.columns, leaf.range, [&](const data::Block& block, const data::Range& range) {
    for (Index m = 0; m < block.count; ++m) {
      const Index column = range.first + m;
      add(data::dense_column(block, m, space), Y.data() + column * K, leaf.constants[column - leaf.range.first],
          leaf.columns.columns_of_person(column));
    }
  });
  return out;
}

}  // namespace ppdnmf::nmf::internal
