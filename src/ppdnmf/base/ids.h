// Numbers that must not be mixed up.
#ifndef PPDNMF_BASE_IDS_H_
#define PPDNMF_BASE_IDS_H_

#include <array>
#include <compare>
#include <cstdint>

namespace ppdnmf {

// An agent's place in the consortium, from 0.
struct AgentId {
  std::uint32_t value = 0;
  friend auto operator<=>(const AgentId&, const AgentId&) = default;
};

// One run of one consortium. Messages of another run are ignored.
using RunId = std::array<std::uint8_t, 16>;

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_IDS_H_
