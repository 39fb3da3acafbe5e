#include <ppdnmf/protocol/fixed_point.h>

#include <cmath>

namespace ppdnmf::protocol {

Status quantise(const Matrix& U, std::int64_t n_max, double bound, std::span<std::int64_t> out) {
  PPDNMF_CHECK(out.size() == static_cast<std::size_t>(U.size()));
  for (Index t = 0; t < U.size(); ++t) {
    const double value = U.data()[t];
    if (!(std::fabs(value) <= bound)) {  // false for NaN too
      return error(
          ErrorCode::kNumeric,
          "entry ({}, {}) of the factor is {:.6g}, beyond the bound {:g}: raise `u_bound`, or lower `weight` or `mu`",
          t % U.rows() + 1, t / U.rows() + 1, value, bound);
    }
    out[static_cast<std::size_t>(t)] = std::llround(value * static_cast<double>(n_max));
  }
  return {};
}

}  // namespace ppdnmf::protocol
