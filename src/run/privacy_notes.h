// What a run tells of whom, in sentences for its report.
#ifndef PPDNMF_RUN_PRIVACY_NOTES_H_
#define PPDNMF_RUN_PRIVACY_NOTES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/graph.h"
#include "protocol/settings.h"

namespace ppdnmf {

// For each agent how many others must work with a curious one to see its numbers alone; empty for one agent.
[[nodiscard]] std::vector<std::uint32_t> colluders_of(ExchangeKind exchange, const Graph& graph);

// `colluders` as above.
[[nodiscard]] std::vector<std::string> privacy_notes(ExchangeKind exchange,
                                                     const std::vector<std::uint32_t>& colluders);

// What a private run's account says, in sentences; nothing for other runs.
[[nodiscard]] std::vector<std::string> account_notes(const RunSettings& settings);

}  // namespace ppdnmf

#endif  // PPDNMF_RUN_PRIVACY_NOTES_H_
