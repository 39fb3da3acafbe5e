#include <ppdnmf/site/phase.h>

#include <algorithm>
#include <array>

namespace ppdnmf::site {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 9> kWords = {"starting", "port taken", "connecting", "opening", "iterating",
                                                    "ending",   "ended",      "gave up",    "failed"};

}  // namespace

std::string_view word_of(AgentPhase phase) { return kWords.at(static_cast<std::size_t>(phase)); }

std::optional<AgentPhase> phase_of(std::string_view word) {
  const auto at = std::find(kWords.begin(), kWords.end(), word);
  if (at == kWords.end()) return std::nullopt;
  return static_cast<AgentPhase>(at - kWords.begin());
}

}  // namespace ppdnmf::site
