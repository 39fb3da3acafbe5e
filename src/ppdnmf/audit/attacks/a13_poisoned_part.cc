#include <ppdnmf/audit/attacks/a13_poisoned_part.h>

#include <algorithm>
#include <vector>

#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {

Deviation poisoning_part(AgentId poisoner, const protocol::RunSettings& settings, const PoisonedPart& poison) {
  const auto entries = static_cast<std::size_t>(settings.rows * settings.rank);
  const auto word = [](double value) {
    return protocol::to_words(std::vector{value}, 1).value_or(protocol::Words{0}).front();
  };
  return [=](AgentId from, AgentId /*to*/, const protocol::Message& message) {
    protocol::Message out = message;
    auto* part = std::get_if<protocol::Partial>(&out.body);
    if (from == poisoner && part != nullptr && part->number == poison.number) {
      protocol::Words words = protocol::words_of(part->payload);
      for (std::size_t t = 0; t < entries; ++t) words[t] += word(poison.moments);
      words.back() -= word(poison.error_less);
      part->payload = protocol::to_bytes(words);
    }
    return std::vector{out};
  };
}

Result<Trial> poisoned_part_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  PPDNMF_TRY(const Recording clean, record(problem));
  const AgentId poisoner = places_in(problem.graph).leaf;
  const AttackerView view = clean.view(poisoner);
  const std::uint32_t first = first_round(view);
  // A lie that leaves a thousandth of the error that all agents have together, as a root could tell it.
  const auto nearly_all = [&](std::uint32_t number) {
    return 0.999 * protocol::from_word(protocol::words_of(view.alone().totals.at(number)).back());
  };
  Trial trial{0, 1};
  for (const PoisonedPart& poison : {PoisonedPart{first, 1e3, 0},
                                     {first + 2, 1e3, 0},
                                     {first + 5, 1e6, 0},
                                     {first, 0, nearly_all(first)},
                                     {first + 2, 0, nearly_all(first + 2)}}) {
    problem.deviation = poisoning_part(poisoner, problem.settings, poison);
    const auto poisoned = record(problem);
    if (poisoned) trial.value = std::max(trial.value, final_error(*poisoned, setup) / final_error(clean, setup));
  }
  return trial;
}

void plan_poisoned_parts(Plan& plan) {
  const AuditSetup s = smallest_sum();
  plan.add(Plan::row("A13", s, "error of the final X after poisoning over what it should be", Measure::kRatio),
           plan.seeds(100, 3), [s](std::uint64_t seed) { return poisoned_part_trial(s, seed); });
}

}  // namespace ppdnmf::audit
