#include <ppdnmf/audit/attacks/a13_poisoning.h>

#include <algorithm>
#include <cstring>

#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {

Deviation poisoning(AgentId poisoner, std::uint32_t iteration, std::int64_t claim) {
  return [=](AgentId from, AgentId /*to*/, const protocol::Message& message) {
    protocol::Message out = message;
    auto* reply = std::get_if<protocol::Reply>(&out.body);
    if (from == poisoner && reply != nullptr && reply->round.iteration == iteration) {
      std::int64_t slot = 0;
      std::uint8_t* last = reply->payload.data() + reply->payload.size() - sizeof slot;
      std::memcpy(&slot, last, sizeof slot);
      slot += claim;
      std::memcpy(last, &slot, sizeof slot);
    }
    return std::vector{out};
  };
}

Deviation poisoning_sums(AgentId poisoner, double claim) {
  return [=](AgentId from, AgentId /*to*/, const protocol::Message& message) {
    constexpr std::uint32_t kCurvature = protocol::kOpeningSums;  // the first of the iteration
    protocol::Message out = message;
    const auto poison = [&](auto* sum) {
      if (sum == nullptr || sum->number != kCurvature) return;
      protocol::Words words = protocol::words_of(sum->payload);
      words.back() += protocol::to_words(std::vector{claim}, 1).value_or(protocol::Words{0}).front();
      sum->payload = protocol::to_bytes(words);
    };
    if (from == poisoner) {
      poison(std::get_if<protocol::Partial>(&out.body));
      poison(std::get_if<protocol::Total>(&out.body));
    }
    return std::vector{out};
  };
}

namespace {

Result<Trial> poisoned_curvature_trial(const AuditSetup& setup, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  PPDNMF_TRY(const Recording clean, record(problem));
  constexpr double kClaim = 1e12;
  problem.deviation = poisoning_sums(kAttacker, kClaim);
  const auto poisoned = record(problem);
  if (!poisoned) return Trial{0, 1};
  return Trial{final_error(*poisoned, setup) / final_error(clean, setup), 1};
}

}  // namespace

Result<Trial> poisoning_trial(const AuditSetup& setup, std::uint64_t seed) {
  if (!setup.bare) return poisoned_curvature_trial(setup, seed);
  AuditProblem problem = problem_of(setup, seed, 30);
  const auto largest = [](const Recording& run) {
    std::int64_t weight = 0;
    for (std::uint32_t i = 1; i < run.graph().agents(); ++i) {
      weight = std::max(weight, run.all_of(AgentId{i}).replies.back().weight);
    }
    return static_cast<double>(weight);
  };
  PPDNMF_TRY(const Recording clean, record(problem));
  problem.deviation = poisoning(kAttacker, 1, std::int64_t{1} << 40);
  const auto poisoned = record(problem);
  if (!poisoned) return Trial{0, 1};  // the run ended with a sentence
  return Trial{largest(*poisoned) / largest(clean), 1};
}

void plan_poisoning(Plan& plan) {
  for (const bool bare : {true, false}) {
    const AuditSetup s{kHardened, "ring", 4, 20, 20, 8, 3, false, bare};
    plan.add(Plan::row("A13", s,
                       bare ? "largest weight after poisoning over what it should be"
                            : "error of the final X after poisoning over what it should be",
                       Measure::kRatio),
             plan.seeds(bare ? 20 : 100, 3), [s](std::uint64_t seed) { return poisoning_trial(s, seed); });
  }
}

}  // namespace ppdnmf::audit
