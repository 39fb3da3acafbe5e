#include <ppdnmf/nmf/internal/bounded_moments.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ppdnmf::nmf::internal {
namespace {

// A column's weight: 1, or what brings its part down to the bound.
double weight_of(double squared_norm, const double* y, Index rank, const Bounds& bounds) {
  double squares = 0;
  double fourth_powers = 0;
  for (Index k = 0; k < rank; ++k) {
    const double square = y[k] * y[k];
    squares += square;
    fourth_powers += square * square;
  }
  const double triangle = (squares * squares + fourth_powers) / 2;  // ||upper(y yᵀ)||²
  const double norm = std::sqrt(squared_norm * squares + bounds.t_weight * bounds.t_weight * triangle);
  return norm > bounds.bound ? bounds.bound / norm : 1;
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
  const auto add = [&](const double* z, const double* y, double squared_norm) {
    const double weight = weight_of(squared_norm, y, K, bounds);
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
      add(data::dense_column(block, m, space), Y.data() + column * K, leaf.constants[column - leaf.range.first]);
    }
  });
  return out;
}

}  // namespace ppdnmf::nmf::internal
