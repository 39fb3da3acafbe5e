#include <ppdnmf/data/weights.h>

#include <cmath>
#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/scaled.h>

namespace ppdnmf::data {
namespace {

class WeightedColumns final : public ColumnsOver {
 public:
  WeightedColumns(SharedColumns columns, std::span<const double> weights)
      : ColumnsOver(std::move(columns)), weights_(weights.begin(), weights.end()) {}

  [[nodiscard]] double weight(Index column) const override { return weights_[static_cast<std::size_t>(column)]; }

 private:
  std::vector<double> weights_;
};

}  // namespace

SharedColumns with_weights(SharedColumns columns, std::span<const double> weights) {
  if (weights.empty()) return columns;
  PPDNMF_CHECK(static_cast<Index>(weights.size()) == columns->count());
  for (const double weight : weights) PPDNMF_CHECK(weight > 0 && std::isfinite(weight));
  return std::make_shared<WeightedColumns>(std::move(columns), weights);
}

SharedColumns weighed(SharedColumns columns, int degree) {
  PPDNMF_CHECK(degree == 1 || degree == 2);
  std::vector<double> factors;
  factors.reserve(static_cast<std::size_t>(columns->count()));
  for (Index m = 0; m < columns->count(); ++m) {
    const double weight = columns->weight(m);
    factors.push_back(degree == 1 ? weight : std::sqrt(weight));
  }
  return scaled_columns(std::move(columns), std::move(factors));
}

}  // namespace ppdnmf::data
