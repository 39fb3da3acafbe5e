// What a search for the number of components has tried and chosen, as bytes: within one process, and for saved states.
#ifndef PPDNMF_PROTOCOL_SEARCH_BYTES_H_
#define PPDNMF_PROTOCOL_SEARCH_BYTES_H_

#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/nmf/rank_choice.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol {

// Ranks from settings.least_rank on, settings.starts starts of each. Damaged bytes give fewer ranks, or leave the
// reader failed; whether the numbers are possible is not looked at.
void put_tried(const std::vector<nmf::RankRuns>& tried, ByteWriter& out);
[[nodiscard]] std::vector<nmf::RankRuns> get_tried(ByteReader& in, const RunSettings& settings);

// For bytes that this process wrote itself.
void put(const nmf::RankChoice& choice, ByteWriter& out);
[[nodiscard]] nmf::RankChoice get_choice(ByteReader& in, Index rows);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_SEARCH_BYTES_H_
