#include <ppdnmf/audit/model/common_weights.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/penalties.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {

std::vector<double> common_weights(const AttackerView& view) {
  const protocol::RunSettings& s = view.settings;
  PPDNMF_CHECK(s.common_weights() && !s.weight && !s.scaled_weight);
  constexpr double kOfCommonCurvature =
      0.9;  // protocol/neighbour_iteration.cc; network_model_test holds it against runs
  const auto largest = static_cast<double>((std::int64_t{1} << s.weight_bits) - 1);
  std::vector<double> weights;
  for (const auto& [number, payload] : view.members.begin()->second.totals) {
    const protocol::Words words = protocol::words_of(payload);
    // Before the first round the curvature alone; after each iteration the error, then the curvature.
    if (number < protocol::kOpeningSums || words.empty() || words.size() > 2) continue;
    const double curvature = std::max(nmf::kSmallestCurvature, protocol::from_word(words.back()) / view.graph.agents());
    const auto iteration = static_cast<int>(weights.size()) + 1;
    const double g = nmf::automatic_weight(kOfCommonCurvature * curvature, s.diameter, iteration, s.iterations);
    weights.push_back(std::max(1.0, std::round(std::min(g * s.g_scale, largest))) / s.g_scale);
  }
  return weights;
}

}  // namespace ppdnmf::audit
