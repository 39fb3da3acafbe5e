#include <ppdnmf/run/network_record.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/protocol/neighbours/isolation.h>
#include <ppdnmf/protocol/privacy_account.h>
#include <ppdnmf/report/result_files.h>

namespace ppdnmf::run {
namespace {

std::string text_of(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "auto"; }

// Every agent's X on everybody's data, in parallel; once, where all have the same.
std::vector<double> errors_on_all_data(const NetworkFactors& factors, const data::Columns& Z, Executor& executor) {
  const bool same = std::all_of(factors.agents.begin(), factors.agents.end(),
                                [&](const AgentFactors& agent) { return agent.X == factors.X; });
  std::vector<double> errors(factors.agents.size());
  if (same) {
    std::fill(errors.begin(), errors.end(), nmf::best_error(factors.X, Z, factors.Y, executor));
  } else {
    executor.for_each(errors.size(),
                      [&](std::size_t i) { errors[i] = nmf::best_error(factors.agents[i].X, Z, factors.Y, executor); });
  }
  return errors;
}

}  // namespace

std::optional<std::string> rank_note(Index rank, Index rows, Index columns) {
  if (rank <= std::min(rows, columns)) return std::nullopt;
  return fmt::format("Rank {} is above the smaller side of the data, {}: many other factors fit them as well.", rank,
                     std::min(rows, columns));
}

report::RunRecord describe_network(const RunOptions& options, const protocol::RunSettings& s,
                                   const protocol::Graph& graph, const std::vector<Index>& columns) {
  report::RunRecord record;
  record.seed = options.seed;
  record.parameters = {{"rows", fmt::format("{}", s.rows)},
                       {"agents", fmt::format("{}", graph.agents())},
                       {"topology", options.topology},
                       {"diameter", fmt::format("{}", s.diameter)}};
  for (auto& parameter : protocol::run_parameters(s)) record.parameters.push_back(std::move(parameter));
  if (s.known) record.components = report::component_names(s.rank, s.known->names);
  record.agents = static_cast<int>(graph.agents());
  for (const auto& [a, b] : graph.edges()) record.edges.emplace_back(a, b);
  record.columns_per_agent = columns;
  for (const protocol::neighbours::Isolation& agent : protocol::neighbours::isolation(graph, s.scheme)) {
    if (!agent.exact)
      record.colluders_at_least.push_back(static_cast<std::uint32_t>(record.colluders_to_isolate.size()));
    record.colluders_to_isolate.push_back(agent.colluders);
  }
  return record;
}

NetworkFactors join_factors(std::vector<AgentFactors> agents) {
  NetworkFactors out;
  out.agents = std::move(agents);
  std::vector<const Matrix*> X;
  Index columns = 0;
  for (const AgentFactors& agent : out.agents) {
    X.push_back(&agent.X);
    columns += agent.Y.cols();
  }
  out.Y.resize(out.agents.front().Y.rows(), columns);
  Index first = 0;
  for (const AgentFactors& agent : out.agents) {
    out.Y.middleCols(first, agent.Y.cols()) = agent.Y;
    first += agent.Y.cols();
  }
  // The mean of equal numbers need not be the number.
  const bool same = std::all_of(X.begin(), X.end(), [&](const Matrix* X_i) { return *X_i == *X.front(); });
  out.X = same ? *X.front() : nmf::mean_factor(X);
  return out;
}

NetworkFactors collect_factors(const sim::Simulation& simulation) {
  std::vector<AgentFactors> agents;
  for (std::size_t i = 0; i < simulation.agents(); ++i)
    agents.push_back({simulation.agent(i).X(), simulation.agent(i).Y(), simulation.agent(i).V()});
  NetworkFactors out = join_factors(std::move(agents));
  out.shrink = simulation.agent(0).scheme().shrink();
  return out;
}

void measure_agents(const NetworkFactors& factors, const data::Columns& Z, Executor& executor,
                    report::RunRecord& record) {
  record.agent_errors = errors_on_all_data(factors, Z, executor);
  record.worst_agent_error = *std::max_element(record.agent_errors.begin(), record.agent_errors.end());
}

void measure_network(const sim::Simulation& simulation, const NetworkFactors& factors, const data::Columns& Z,
                     const std::vector<double>& seconds, Executor& executor, report::RunRecord& record) {
  const sim::HistoryEntry outcome = simulation.history().back();
  record.relative_error = outcome.relative_error;
  record.loss = outcome.loss;
  record.common_error = outcome.common_error;
  record.nmse = outcome.nmse;
  record.disagreement = outcome.disagreement;
  measure_agents(factors, Z, executor, record);
  record.iterations = static_cast<int>(outcome.iteration);
  record.rounds = static_cast<std::int64_t>(outcome.rounds);
  record.bytes_sent = simulation.bytes_sent();
  record.stopped_because = simulation.stopped_because();
  record.parameters.emplace_back("data_scale", text_of(simulation.agent(0).data_scale()));
  const protocol::RankSearch* search = simulation.agent(0).scheme().search();
  if (search != nullptr && search->choice) {
    record.search = report::make_rank_record(search->tried, *search->choice, simulation.settings().loss,
                                             simulation.agent(0).data_scale().value_or(1));
  }
  for (std::size_t n = 0; n < simulation.history().size(); ++n) {
    record.history.push_back(to_row(simulation.history()[n], n < seconds.size() ? seconds[n] : 0));
  }
}

report::HistoryRow to_row(const sim::HistoryEntry& entry, double seconds) {
  return {static_cast<int>(entry.iteration),
          static_cast<std::int64_t>(entry.rounds),
          entry.nmse,
          entry.relative_error,
          entry.loss,
          entry.disagreement,
          seconds,
          entry.bytes};
}

}  // namespace ppdnmf::run
