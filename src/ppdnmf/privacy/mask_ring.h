// How likely dishonest agents are to cut the ring of masks in two (protocol/sum_masks.h).
#ifndef PPDNMF_PRIVACY_MASK_RING_H_
#define PPDNMF_PRIVACY_MASK_RING_H_

#include <cstdint>

namespace ppdnmf::privacy {

// A bound on log2 of the probability that, in a ring in random order with masks between `near` agents on either side,
// the masks between `honest` of all `agents` do not connect these: -infinity where that cannot be, at most 0. Two runs
// of `near` others cut a ring, so it is the number of pairs of places times the chance that both runs are theirs:
//   log2( agents (agents - 1) / 2 * product over i < 2 near of (others - i) / (agents - i) ).
// honest <= agents and near >= 1 (checked).
[[nodiscard]] double log2_chance_of_a_cut(std::uint32_t agents, std::uint32_t honest, std::uint32_t near);

}  // namespace ppdnmf::privacy

#endif  // PPDNMF_PRIVACY_MASK_RING_H_
