// What the tests of participants share: small problems, members of a run of them, what a simulation makes of the same.
#ifndef PPDNMF_TESTS_SCENARIO_MEMBERS_HARNESS_H_
#define PPDNMF_TESTS_SCENARIO_MEMBERS_HARNESS_H_

#include "tests/scenario/private_problem.h"
#include <ppdnmf/member/test_members.h>

namespace ppdnmf::scenario {

using member::testing_members::Members;
using member::testing_members::Site;

inline constexpr std::uint64_t kMembersSeed = 3;

inline Problem small(protocol::SchemeKind scheme, std::uint32_t agents = 4, const char* graph = "ring") {
  Problem problem = small_problem(kMembersSeed, graph, agents);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = scheme;
  s.data_scale.reset();
  s.iterations = scheme == protocol::SchemeKind::kSum ? 6 : 2;
  protocol::complete(s, problem.graph);
  return problem;
}

inline Members members_of(const Problem& problem, std::optional<std::uint64_t> seed = kMembersSeed) {
  const bool sum = problem.config.settings.scheme == protocol::SchemeKind::kSum;
  return {problem.graph, problem.config.settings, problem.Z, seed,
          sum ? std::nullopt : std::optional<crypto::KeyOptions>(small_keys())};
}

// What the same seed gives in a simulation.
inline std::vector<Matrix> simulated(Problem problem) {
  set_cipher(problem);
  const sim::Simulation simulation = run(problem);
  std::vector<Matrix> X;
  for (std::size_t i = 0; i < simulation.agents(); ++i) X.push_back(simulation.agent(i).X());
  return X;
}

inline void expect_ended_with(const Members& members, const std::vector<Matrix>& X) {
  for (std::size_t i = 0; i < members.sites.size(); ++i) {
    const Site& site = members.sites[i];
    ASSERT_FALSE(site.failure) << i << ": " << site.failure->message;
    ASSERT_TRUE(site.kept) << i;
    ASSERT_NE(site.participant->agent(), nullptr);
    EXPECT_EQ(site.participant->agent()->X(), X[i]) << i;
  }
  EXPECT_TRUE(members.all_done());
}

}  // namespace ppdnmf::scenario

#endif  // PPDNMF_TESTS_SCENARIO_MEMBERS_HARNESS_H_
