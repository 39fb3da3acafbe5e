#include <ppdnmf/data/scaled.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/internal/rescaled.h>

namespace ppdnmf::data {
namespace {

class ScaledColumns final : public ColumnsOver {
 public:
  ScaledColumns(SharedColumns columns, std::vector<double> factors)
      : ColumnsOver(std::move(columns)), factors_(std::move(factors)) {}

  [[nodiscard]] Block lend(const Range& range, Scratch& scratch) const override {
    return internal::rescaled(source(), range, scratch, [&](Index m, double z) { return z * factor(m); });
  }
  void restore_units(Matrix& Y) const override {
    for (Index m = 0; m < Y.cols(); ++m) Y.col(m) /= factor(m);
    ColumnsOver::restore_units(Y);
  }

 private:
  [[nodiscard]] double factor(Index m) const { return factors_[static_cast<std::size_t>(m)]; }

  std::vector<double> factors_;
};

}  // namespace

SharedColumns scaled_columns(SharedColumns columns, std::vector<double> factors) {
  PPDNMF_CHECK(static_cast<Index>(factors.size()) == columns->count());
  for (const double factor : factors) PPDNMF_CHECK(factor > 0 && std::isfinite(factor));
  const bool all_one = std::all_of(factors.begin(), factors.end(), [](double factor) { return factor == 1; });
  if (all_one) return columns;
  return std::make_shared<ScaledColumns>(std::move(columns), std::move(factors));
}

}  // namespace ppdnmf::data
