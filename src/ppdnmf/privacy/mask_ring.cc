#include <ppdnmf/privacy/mask_ring.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <ppdnmf/base/result.h>

namespace ppdnmf::privacy {

double log2_chance_of_a_cut(std::uint32_t agents, std::uint32_t honest, std::uint32_t near) {
  PPDNMF_CHECK(honest <= agents && near >= 1);
  const std::uint32_t others = agents - honest;
  // One agent is connected with itself, and up to 2 near + 1 everybody is everybody's partner.
  if (honest <= 1 || agents <= 2 * near + 1 || others < 2 * near) return -std::numeric_limits<double>::infinity();
  double chance = std::log2(static_cast<double>(agents) * (agents - 1.0) / 2);
  for (std::uint32_t i = 0; i < 2 * near; ++i) chance += std::log2((others - i) / static_cast<double>(agents - i));
  return std::min(chance, 0.0);
}

}  // namespace ppdnmf::privacy
