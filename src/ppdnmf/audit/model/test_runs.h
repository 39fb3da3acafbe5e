// Small runs for the tests of attacks.
#ifndef PPDNMF_AUDIT_MODEL_TEST_RUNS_H_
#define PPDNMF_AUDIT_MODEL_TEST_RUNS_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/audit/model/recording.h>
#include <ppdnmf/audit/model/samples.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::audit::testing_runs {

inline protocol::Graph graph(const std::string& name, std::uint32_t agents, std::uint64_t seed = 1) {
  return sim::make_topology(name, agents, Seed::from_number(seed)).value();
}

inline Recording record(const AuditProblem& problem) {
  SerialExecutor serial;
  auto recording = Recording::make(problem, serial);
  EXPECT_TRUE(recording) << recording.error().message;
  return *std::move(recording);
}

// Synthetic data, `columns[i]` of them at agent i, with the program's own settings.
inline AuditProblem synthetic(protocol::SchemeKind scheme, const protocol::Graph& g, const std::vector<Index>& columns,
                              std::uint64_t seed, std::uint64_t rounds, Index rows = 30, Index rank = 5) {
  Index total = 0;
  for (const Index c : columns) total += c;
  AuditProblem problem{g, {}, default_settings(scheme, rows, rank, g), seed, rounds, {}, false, false, {}};
  problem.Z = {synthetic_columns_of(seed, total, rows, rank), columns};
  return problem;
}

}  // namespace ppdnmf::audit::testing_runs

#endif  // PPDNMF_AUDIT_MODEL_TEST_RUNS_H_
