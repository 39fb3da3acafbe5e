// What attackers claim to have found: the same words for several attacks.
#ifndef PPDNMF_AUDIT_MODEL_CLAIMS_H_
#define PPDNMF_AUDIT_MODEL_CLAIMS_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/protocol/message.h>

namespace ppdnmf::audit {

// What an attacker says of one neighbour in one round.
struct WeightClaim {
  AgentId of;
  protocol::Round round;
  std::int64_t weight = 0;
  std::vector<std::int64_t> u;  // the neighbour's factor in quanta
};

// How hard a fit tries.
struct FitOptions {
  int rounds = 9;  // of the transcript, beginning with the first
  int starts = 6;  // random ones, until one explains what was seen
  int steps = 15;  // Jacobians per stage of each start
};

// A misfit this small (ColumnClaim::cost) is explained by rounding; no other start can do better.
inline constexpr double kExplained = 20;

// Columns that an attack claims to have found, in units of the data.
struct ColumnClaim {
  Matrix columns;
  double cost = 0;  // misfit per observation in deviations of the noise, squared; near 1 if it explains what was seen
  int starts = 0;   // how many were made
};

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_CLAIMS_H_
