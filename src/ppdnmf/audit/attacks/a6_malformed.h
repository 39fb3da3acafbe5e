// A6: keys and ciphertexts that are not what they should be, sent to see whether they are taken.
#ifndef PPDNMF_AUDIT_ATTACKS_A6_MALFORMED_H_
#define PPDNMF_AUDIT_ATTACKS_A6_MALFORMED_H_

#include <cstdint>

#include <ppdnmf/base/result.h>

namespace ppdnmf::audit {

class Plan;  // model/plan_rows.h

struct MalformedOutcome {
  int sent = 0;
  int accepted = 0;
};

// Moduli that are even, too short, too long, prime, a square, or have a small factor, and ciphertexts that are 0, n, or
// n² and above, all for 512-bit keys.
[[nodiscard]] Result<MalformedOutcome> send_malformed(std::uint64_t seed);

// Its rows of the audit's table.
void plan_malformed(Plan& plan);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_ATTACKS_A6_MALFORMED_H_
