// Bounded reals as integers, so that adding codes adds the reals.
#ifndef PPDNMF_PROTOCOL_FIXED_POINT_H_
#define PPDNMF_PROTOCOL_FIXED_POINT_H_

#include <cstdint>
#include <span>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::protocol {

// out[t] = round(n_max U[t]), halves away from zero, in column-major order. Fails with kNumeric if an entry is not
// finite or exceeds `bound` in absolute value; the message names the entry, the bound and the option that raises it.
// Never clips. out.size() == U.size() (checked); n_max * bound < 2^62 (validate(RunSettings)).
[[nodiscard]] Status quantise(const Matrix& U, std::int64_t n_max, double bound, std::span<std::int64_t> out);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_FIXED_POINT_H_
