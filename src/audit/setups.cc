#include "audit/setups.h"

#include <algorithm>
#include <numeric>

#include "audit/prior.h"
#include "audit/samples.h"
#include "audit/score.h"
#include "nmf/measures.h"
#include "protocol/column_minimum.h"
#include "protocol/isolation.h"
#include "sim/topology.h"

namespace ppdnmf {

std::vector<Index> columns_of(const AuditSetup& setup) {
  std::vector<Index> columns(setup.agents, setup.each);
  columns[0] = setup.own;
  return columns;
}

Matrix population_of(const AuditSetup& setup, std::uint64_t seed, Index more) {
  const std::vector<Index> columns = columns_of(setup);
  const Index total = std::accumulate(columns.begin(), columns.end(), more);
  return setup.counts ? count_columns_of(seed, total, setup.rows, setup.rank)
                      : synthetic_columns_of(seed, total, setup.rows, setup.rank);
}

AuditProblem problem_of(const AuditSetup& setup, std::uint64_t seed, std::uint64_t exchanges) {
  auto made = make_topology(setup.topology, setup.agents, Seed::from_number(seed));
  PPDNMF_CHECK(made.has_value());
  const Graph graph = *std::move(made);
  AuditProblem problem{graph, {}, {}, seed, exchanges, {}, false, false, {}};
  problem.settings = setup.exchange == ExchangeKind::kAsPrinted
                         ? printed_settings(setup.rows, setup.rank, graph)
                         : default_settings(setup.exchange, setup.rows, setup.rank, graph);
  if (setup.bare) remove_countermeasures(problem.settings, graph);
  problem.Z = split_columns(population_of(setup, seed), columns_of(setup));
  return problem;
}

Result<Recording> record(const AuditProblem& problem) {
  SerialExecutor serial;
  return Recording::make(problem, serial);
}

double final_error(const Recording& run, const AuditSetup& setup) {
  Matrix all(setup.rows, run.others(kAttacker).cols() + setup.own);
  all << run.all_of(kAttacker).Z, run.others(kAttacker);
  return best_error(run.all_of(AgentId{1}).X, all);
}

double guess_error(const Matrix& truth, const Matrix& own) {
  Matrix drawn(truth.rows(), truth.cols());
  for (Index m = 0; m < drawn.cols(); ++m) drawn.col(m) = own.col(m % own.cols());
  return std::min(column_error(truth, guessed_columns(own, truth.cols())), column_error(truth, drawn));
}

bool is_accepted(const AuditSetup& setup) {
  if (setup.exchange == ExchangeKind::kAsPrinted || setup.bare) return false;
  const std::vector<Index> columns = columns_of(setup);
  const Index total = std::accumulate(columns.begin(), columns.end(), Index{0});
  const ColumnMinimum minimum = column_minimum(setup.exchange, setup.rows, setup.rank);
  const bool enough = std::all_of(columns.begin(), columns.end(),
                                  [&](Index own) { return check_columns(minimum, own, total).has_value(); });
  const auto graph = make_topology(setup.topology, setup.agents, Seed::from_number(1));
  const std::vector<Isolation> alone = isolation(*graph, setup.exchange);
  return enough && std::all_of(alone.begin(), alone.end(), [](const Isolation& i) { return i.colluders > 0; });
}

}  // namespace ppdnmf
