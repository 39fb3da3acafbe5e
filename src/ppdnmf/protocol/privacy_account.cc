#include <ppdnmf/protocol/privacy_account.h>

#include <fmt/format.h>

#include <ppdnmf/privacy/choice.h>
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
  if (settings.scheme != SchemeKind::kMoments) {
    PPDNMF_TRY(privacy.noise, privacy::plan_noise(request));
    return privacy;
  }
  request.rounds = settings.iterations - 1;
  PPDNMF_TRY(const privacy::MomentsPlan plan, privacy::plan_moments(request, privacy::part_of_opening(request.rounds)));
  privacy.noise = plan.rounds;
  privacy.opening = plan.opening;
  return privacy;
}

namespace {

std::string ways_of_noise(const PrivacySettings& privacy, std::string_view who) {
  const privacy::NoisePlan& noise = privacy.noise;
  std::string rounds = fmt::format(
      "{} rounds{}, each opening {:.0f} numbers with noise of {:.4g} where a {} changes them by at most "
      "{:.4g}",
      noise.rounds, privacy.opening ? " in the span that it finds" : "", noise.entries,
      noise.rounds > 0 ? privacy::noise_of(noise, noise.honest) : 0, who, noise.bound);
  if (!privacy.opening) return rounds;
  const privacy::OpeningPlan& opening = *privacy.opening;
  std::string text = fmt::format(
      "One opening of {:.0f} numbers with noise of {:.4g} (0.71 of it off the diagonal) where a {} changes them by at "
      "most 1",
      opening.entries, privacy::noise_of(opening, opening.honest), who);
  if (noise.rounds > 0)
    text += fmt::format(", with {:.2g} of the budget, then {}", opening.rho / privacy.cost().rho, rounds);
  return text;
}

}  // namespace

privacy::Cost cost_of_replacing(const PrivacySettings& privacy) {
  constexpr double kTwoNonnegative = 2;  // of rho, as the square of the distance
  constexpr double kTwo = 4;
  privacy::Cost all = privacy.cost();
  all.rho = privacy.opening ? kTwoNonnegative * privacy.opening->rho + kTwo * privacy.noise.rho
                            : kTwoNonnegative * privacy.noise.rho;
  return all;
}

std::optional<privacy::Cost> cost_with_one_more(const PrivacySettings& privacy) {
  PrivacySettings fewer = privacy;
  const std::uint32_t honest = privacy.opening ? privacy.opening->honest : privacy.noise.honest;
  if (honest < 2) return std::nullopt;
  fewer.noise.honest = honest - 1;
  privacy::Cost all = privacy::cost_of(fewer.noise);
  if (fewer.opening) {
    fewer.opening->honest = honest - 1;
    all += privacy::cost_of(*fewer.opening);
  }
  return all;
}

std::string way_note(const RunSettings& s, std::uint32_t agents) {
  if (!s.privacy) return {};
  const bool moments = s.scheme == SchemeKind::kMoments;
  const std::string way = !moments ? fmt::format("{} exchanges", s.privacy->noise.rounds)
                          : s.privacy->noise.rounds == 0
                              ? std::string("one opening of second moments")
                              : fmt::format("one opening of second moments, then {} rounds", s.privacy->noise.rounds);
  privacy::PlanRequest request;
  request.budget = s.privacy->budget;
  request.rows = s.rows;
  request.rank = s.rank;
  request.agents = agents;
  request.honest = moments ? s.privacy->opening->honest : s.privacy->noise.honest;
  request.columns = s.privacy->columns;
  const privacy::Choice choice = privacy::choose_way(request);
  const bool followed = choice.moments == moments && (!moments || choice.rounds == s.privacy->noise.rounds);
  return followed
             ? fmt::format("The budget is spent on {}: {}.", way, choice.because)
             : fmt::format("The budget is spent on {}, as was asked for; by itself the plan would have chosen {}: {}.",
                           way,
                           !choice.moments      ? "exchanges"
                           : choice.rounds == 0 ? "one opening of second moments alone"
                                                : "one opening of second moments and rounds in its span",
                           choice.because);
}

std::vector<std::string> account_notes(const PrivacySettings& privacy, bool persons) {
  const std::string_view who = persons ? "person" : "column";
  const double delta = privacy.budget.delta;
  const privacy::Cost cost = privacy.cost();
  const std::uint32_t honest = privacy.opening ? privacy.opening->honest : privacy.noise.honest;
  const auto of_columns = [&](double columns) {
    return privacy::epsilon_of(privacy::Cost{privacy::group_rho(cost.rho, columns), cost.divergence}, delta);
  };
  const std::string assumed = honest == 1 ? "the noise of one holder is known to nobody else"
                                          : fmt::format("{} agents add their noise and tell it to nobody", honest);
  std::string fewer;
  if (const auto one_more = cost_with_one_more(privacy))
    fewer = fmt::format(" With one honest agent less than the {} assumed, epsilon is {:.4g}.", honest,
                        privacy::epsilon_of(*one_more, delta));
  return {
      fmt::format("Private: ({:.4g}, {:g})-differentially private for one {} added or removed, as long as {}. "
                  "{}: rho = {:.4g}.",
                  privacy::epsilon_of(cost, delta), delta, who, assumed, ways_of_noise(privacy, who), cost.rho),
      privacy::meaning_of(cost.rho, who),
      fmt::format(
          "Whoever {} is protected with epsilon {:.4g}, with five {:.4g}, at the same delta. One {} replaced by "
          "another: epsilon {:.4g}.{}",
          persons ? "has columns at two members, where each knows of its own alone," : "has two columns in the data",
          of_columns(2), of_columns(5), who, privacy::epsilon_of(cost_of_replacing(privacy), delta), fewer)};
}

std::vector<std::pair<std::string, std::string>> privacy_parameters(const PrivacySettings& privacy) {
  const privacy::NoisePlan& noise = privacy.noise;
  std::vector<std::pair<std::string, std::string>> out = {{"rho", fmt::format("{:.6g}", privacy.cost().rho)}};
  if (privacy.opening) {
    const privacy::OpeningPlan& opening = *privacy.opening;
    out.emplace_back("opening_noise", fmt::format("{:.6g}", privacy::noise_of(opening, opening.honest)));
    out.emplace_back("opening_part", fmt::format("{:.3g}", opening.rho / privacy.cost().rho));
    out.emplace_back("span_rounds", fmt::format("{}", noise.rounds));
  }
  if (noise.rounds == 0) return out;
  out.emplace_back("noise", fmt::format("{:.6g}", privacy::noise_of(noise, noise.honest)));
  out.emplace_back("bound", fmt::format("{:.6g}", noise.bound));
  return out;
}

}  // namespace ppdnmf::protocol
