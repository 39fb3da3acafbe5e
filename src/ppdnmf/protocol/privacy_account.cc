#include <ppdnmf/protocol/privacy_account.h>

#include <fmt/format.h>

#include <ppdnmf/privacy/meaning.h>
#include <ppdnmf/protocol/sum_masks.h>

namespace ppdnmf::protocol {

Result<PrivacySettings> plan_privacy(const PrivacyWish& wish, const RunSettings& settings, std::uint32_t agents) {
  privacy::PlanRequest request;
  request.budget = wish.budget;
  request.rows = settings.rows;
  request.rank = settings.rank;
  request.rounds = settings.iterations;
  request.agents = agents;
  request.honest = wish.honest.value_or(agents > 1 ? agents - 1 : 1);
  request.columns = wish.columns;
  request.mask_partners = kRingPartners;
  PrivacySettings privacy;
  privacy.budget = wish.budget;
  privacy.normalise = wish.normalise;
  privacy.columns = wish.columns;
  PPDNMF_TRY(privacy.noise, privacy::plan_noise(request));
  return privacy;
}

std::vector<std::string> account_notes(const PrivacySettings& privacy, bool persons) {
  const privacy::NoisePlan& noise = privacy.noise;
  const double delta = privacy.budget.delta;
  const std::string_view who = persons ? "person" : "column";
  return {
      fmt::format(
          "Private: ({:.4g}, {:g})-differentially private for one {} added or removed, as long as {} agents "
          "add their noise and tell it to nobody. {} rounds, each opening {:.0f} numbers with noise of {:.4g} "
          "where a {} changes them by at most {:.4g}: rho = {:.4g}.",
          privacy::epsilon_of(noise.rho, delta), delta, who, noise.honest, noise.rounds, noise.entries,
          privacy::noise_of(noise, noise.honest), who, noise.bound, noise.rho),
      privacy::meaning_of(noise.rho, who),
      fmt::format("Whoever {} is protected with epsilon {:.4g}, with five {:.4g}, at the same delta.",
                  persons ? "is a person of two members, who do not know of each other's columns,"
                          : "has two columns in the data",
                  privacy::epsilon_of(privacy::group_rho(noise.rho, 2), delta),
                  privacy::epsilon_of(privacy::group_rho(noise.rho, 5), delta))};
}

std::vector<std::pair<std::string, std::string>> privacy_parameters(const PrivacySettings& privacy) {
  const privacy::NoisePlan& noise = privacy.noise;
  return {{"rho", fmt::format("{:.6g}", noise.rho)},
          {"noise", fmt::format("{:.6g}", privacy::noise_of(noise, noise.honest))},
          {"bound", fmt::format("{:.6g}", noise.bound)}};
}

}  // namespace ppdnmf::protocol
