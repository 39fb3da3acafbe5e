// A3: an answer that is a bare power of the question, without randomness of its own, gives its exponent away. Modulo n
// the plaintexts drop out of Paillier ciphertexts: answer = question^G modulo n, and G is short.
#ifndef PPDNMF_AUDIT_ATTACKS_A3_BARE_POWER_H_
#define PPDNMF_AUDIT_ATTACKS_A3_BARE_POWER_H_

#include <cstdint>
#include <optional>

#include <ppdnmf/base/bytes.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

// The smallest G below 2^bits with answer = question^G modulo n, by baby steps and giant steps; nothing if there is
// none. Numbers are little-endian.
[[nodiscard]] std::optional<std::int64_t> exponent_of(ByteSpan question, ByteSpan answer, ByteSpan n, int bits);

// A deliberately broken replier: question^G modulo n², and nothing else. For the audit alone.
[[nodiscard]] Bytes bare_power(ByteSpan question, ByteSpan n, std::int64_t weight);

// Its rows of the audit's table.
void plan_bare_powers(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A3_BARE_POWER_H_
