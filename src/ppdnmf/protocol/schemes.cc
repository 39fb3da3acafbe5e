#include <ppdnmf/protocol/schemes.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/protocol/neighbours/neighbour_scheme.h>
#include <ppdnmf/protocol/private_scheme.h>
#include <ppdnmf/protocol/sum_scheme.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::protocol {

std::unique_ptr<Scheme> make_scheme(AgentConfig& config, const Seed& secret) {
  const RunSettings& s = config.settings;
  const bool sums_only = s.scheme == SchemeKind::kSum;
  PPDNMF_CHECK(sums_only == (config.cipher == nullptr));
  if (s.privacy) return std::make_unique<PrivateScheme>(s, config.agents, config.start(0), *config.columns, secret);
  if (sums_only) {
    return std::make_unique<SumScheme>(s, config.start, config.start_given, *config.columns, config.steps);
  }
  return std::make_unique<neighbours::NeighbourScheme>(s, config.self, config.neighbours, config.start(0),
                                                       *config.columns, secret, std::move(config.cipher));
}

std::size_t max_sum_bytes(const RunSettings& s) {
  const std::size_t iterating =
      s.scheme == SchemeKind::kSum ? SumScheme::words(s) : static_cast<std::size_t>(s.rows * s.rank);
  return std::max(iterating, kWideWords) * sizeof(Word);
}

}  // namespace ppdnmf::protocol
