// An agent's share of the noise of a private run (docs/privacy.md).
//
// It follows from the agent's secret of this run, the number of the round, and all totals that the agent was told so
// far. A restarted agent repeats it; an agent that was set back and is told other totals than before draws another one,
// so that the difference of two openings still has the noise of both. Pure functions.
#ifndef PPDNMF_PROTOCOL_NOISE_SHARE_H_
#define PPDNMF_PROTOCOL_NOISE_SHARE_H_

#include <cstdint>
#include <span>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/privacy/plan.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::protocol {

// Stands for all totals so far, zeros before the first; after one more of them, and whether it ended the run.
[[nodiscard]] Digest told_after(const Digest& told, std::span<const Word> total, bool stop);

// Of round `number`, in multiples of the plan's unit.
[[nodiscard]] std::vector<double> noise_share(const privacy::NoisePlan& plan, const Seed& secret, const Digest& told,
                                              std::uint64_t number);

// Of the opening of second moments of so many rows, in multiples of 2^(-2 bits): the upper triangle, column after
// column.
[[nodiscard]] std::vector<double> noise_share(const privacy::OpeningPlan& plan, const Seed& secret, const Digest& told);

// values += share. Both are multiples of one unit and far below 2^53 of it: exact. Equally many (checked). The share is
// overwritten: whoever learns it has an agent's part without noise.
void add_share(std::vector<double> share, std::span<double> values);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_NOISE_SHARE_H_
