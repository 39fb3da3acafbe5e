#include <ppdnmf/protocol/schemes.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/protocol/early_sums.h>
#include <ppdnmf/protocol/moments_scheme.h>
#include <ppdnmf/protocol/neighbours/neighbour_scheme.h>
#include <ppdnmf/protocol/private_scheme.h>
#include <ppdnmf/protocol/rank_scheme.h>
#include <ppdnmf/protocol/sum_scheme.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::protocol {

std::unique_ptr<Scheme> make_scheme(AgentConfig& config, const Seed& secret) {
  const RunSettings& s = config.settings;
  PPDNMF_CHECK(sums_only(s.scheme) == (config.cipher == nullptr));
  if (s.scheme == SchemeKind::kMoments) {
    return std::make_unique<MomentsScheme>(s, config.agents, config.start, Seed::from_bytes(config.common_seed),
                                           *config.columns, secret, config.steps);
  }
  if (s.privacy) return std::make_unique<PrivateScheme>(s, config.agents, config.start(0), *config.columns, secret);
  if (s.searches())
    return std::make_unique<RankScheme>(s, Seed::from_bytes(config.common_seed), *config.columns, config.steps);
  if (s.scheme == SchemeKind::kSum) {
    return std::make_unique<SumScheme>(s, config.start, config.start_given, *config.columns, config.steps);
  }
  return std::make_unique<neighbours::NeighbourScheme>(s, config.self, config.neighbours, config.start(0),
                                                       *config.columns, secret, std::move(config.cipher));
}

std::size_t max_sum_bytes(const RunSettings& s) {
  const std::size_t iterating = s.scheme == SchemeKind::kSum
                                    ? (s.searches() ? RankScheme::words(s) : SumScheme::words(s))
                                : s.scheme == SchemeKind::kMoments ? MomentsScheme::words(s)
                                                                   : static_cast<std::size_t>(s.rows * s.rank);
  return std::max({iterating, kWideWords, early_words(s)}) * sizeof(Word);
}

}  // namespace ppdnmf::protocol
