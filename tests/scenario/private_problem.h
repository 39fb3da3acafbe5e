// Small private runs for the scenario tests.
#ifndef PPDNMF_TESTS_SCENARIO_PRIVATE_PROBLEM_H_
#define PPDNMF_TESTS_SCENARIO_PRIVATE_PROBLEM_H_

#include <cmath>

#include "tests/scenario/harness.h"
#include <ppdnmf/protocol/privacy_account.h>

namespace ppdnmf::scenario {

// A small private run; its budget is for `honest` agents, all but one unless it is said.
inline Problem private_problem(std::uint64_t seed, const std::string& topology_name, std::uint32_t agents,
                               int rounds = 8, double epsilon = 20, std::uint32_t honest = 0) {
  Problem problem = small_problem(seed, topology_name, agents, 7, 3);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = protocol::SchemeKind::kSum;
  s.iterations = rounds;
  s.data_scale.reset();
  protocol::PrivacyWish wish{{epsilon, 1e-3}, nmf::ColumnNorm::kL2, std::nullopt, 500};
  if (honest > 0) wish.honest = honest;
  const auto privacy = protocol::plan_privacy(wish, s, agents);
  EXPECT_TRUE(privacy) << privacy.error().message;
  s.privacy = *privacy;
  protocol::complete(s, problem.graph);
  return masked(std::move(problem));
}

// A small run of the scheme moments with so many rounds in the span; nothing: exact moments, without a budget.
inline Problem moments_problem(std::uint64_t seed, const std::string& topology_name, std::uint32_t agents,
                               std::optional<int> span_rounds) {
  Problem problem = small_problem(seed, topology_name, agents, 7, 3);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = protocol::SchemeKind::kMoments;
  s.iterations = 1 + span_rounds.value_or(0);
  s.data_scale.reset();
  if (span_rounds) {
    const auto privacy = protocol::plan_privacy({{20, 1e-3}, nmf::ColumnNorm::kL2, std::nullopt, 500}, s, agents);
    EXPECT_TRUE(privacy) << privacy.error().message;
    s.privacy = *privacy;
  }
  protocol::complete(s, problem.graph);
  return masked(std::move(problem));
}

inline void expect_one_X(const sim::Simulation& simulation) {
  for (std::size_t i = 1; i < simulation.agents(); ++i) {
    ASSERT_TRUE(simulation.agent(i).X() == simulation.agent(0).X()) << "agent " << i;
  }
}

// Asked to end after so many rounds, a run ends two rounds later at most, with one X.
inline void expect_end_soon_after(std::uint64_t rounds, const Problem& problem) {
  sim::Simulation simulation = make(problem);
  const auto end = [&] {
    return simulation.rounds_completed() >= rounds ? sim::Simulation::Wish::kEnd : sim::Simulation::Wish::kGoOn;
  };
  const auto finished = simulation.run(serial_executor(), nullptr, end);
  ASSERT_TRUE(finished && *finished);
  EXPECT_EQ(simulation.stopped_because(), "request");
  EXPECT_LE(simulation.rounds_completed(), rounds + 2);
  expect_one_X(simulation);
}

// expect_same, where nobody knows the common error.
inline void expect_same_bytes(const sim::Simulation& a, const sim::Simulation& b) {
  for (std::size_t i = 0; i < a.agents(); ++i) {
    EXPECT_TRUE(a.agent(i).X() == b.agent(i).X()) << "X of agent " << i;
    EXPECT_TRUE(a.agent(i).Y() == b.agent(i).Y()) << "Y of agent " << i;
  }
  ASSERT_EQ(a.history().size(), b.history().size());
  for (std::size_t n = 0; n < a.history().size(); ++n) {
    EXPECT_EQ(a.history()[n].relative_error, b.history()[n].relative_error);
    EXPECT_TRUE(std::isnan(a.history()[n].common_error));
  }
}

}  // namespace ppdnmf::scenario

#endif  // PPDNMF_TESTS_SCENARIO_PRIVATE_PROBLEM_H_
