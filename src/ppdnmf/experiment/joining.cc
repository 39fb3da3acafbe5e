#include <ppdnmf/experiment/joining.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/experiment/agents.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/measures.h>

namespace ppdnmf::experiment {
namespace {

constexpr std::uint8_t kHeldOutStream = 'H';
constexpr Index kOneIn = 5;
constexpr int kIterations = 100;  // what the network has by default, too

struct Divided {
  Matrix train, test;
  std::vector<Index> columns;  // training columns of each agent
};

Divided divide(const Matrix& Z, const std::vector<Index>& columns, const std::vector<Index>& held_out) {
  Divided d;
  const auto tests = static_cast<Index>(held_out.size());
  d.test.resize(Z.rows(), tests);
  d.train.resize(Z.rows(), Z.cols() - tests);
  Index column = 0;
  Index trained = 0;
  Index tested = 0;
  for (const Index share : columns) {
    const Index before = trained;
    for (Index k = 0; k < share; ++k, ++column) {
      const bool out = tested < tests && held_out[static_cast<std::size_t>(tested)] == column;
      if (out) {
        d.test.col(tested++) = Z.col(column);
      } else {
        d.train.col(trained++) = Z.col(column);
      }
    }
    d.columns.push_back(trained - before);
  }
  return d;
}

// From these training columns alone; nothing if it was stopped.
Result<std::optional<double>> learn_in_one_place(const Divided& d, const data::Range& own, Index rank,
                                                 std::uint64_t seed, const StopQuestion& stop) {
  // An agent whose columns are all zero has nothing to learn: its X explains nothing.
  if (!(d.train.middleCols(own.first, own.count).maxCoeff() > 0)) return std::optional<double>(1);
  nmf::FactorizeOptions options;
  options.rank = rank;
  options.solver = nmf::Solver::kAdmm;  // what the agents do, without a network
  options.iterations = kIterations;
  PPDNMF_TRY(nmf::Factorization run,
             nmf::Factorization::create(data::view(d.train, own), options, Seed::from_number(seed)));
  while (!run.done()) {
    if (stop()) return std::optional<double>();
    PPDNMF_TRY_STATUS(run.step());
  }
  return std::optional<double>(nmf::best_error(run.X(), d.test));
}

Result<std::optional<double>> learn_together(const TrialProblem& problem, const Divided& d, const StopQuestion& stop) {
  PPDNMF_TRY(const Agents agents, make_agents(problem, {Kind::kDefaults}));
  PPDNMF_TRY(const std::optional<sim::Simulation> run,
             run_agents(agents, {d.train, d.columns}, problem.seed, {}, {}, stop));
  if (!run) return std::optional<double>();
  double worst = 0;
  for (std::size_t i = 0; i < run->agents(); ++i) worst = std::max(worst, nmf::best_error(run->agent(i).X(), d.test));
  return std::optional<double>(worst);
}

}  // namespace

Result<std::vector<Index>> choose_held_out(const std::vector<Index>& columns, std::uint64_t seed) {
  std::vector<Index> owner;
  for (std::size_t i = 0; i < columns.size(); ++i)
    owner.insert(owner.end(), static_cast<std::size_t>(columns[i]), static_cast<Index>(i));
  std::vector<Index> order(owner.size());
  std::iota(order.begin(), order.end(), Index{0});
  Stream stream(Seed::from_number(seed), kHeldOutStream);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[stream.below(k)]);
  const std::size_t wanted = std::max<std::size_t>(1, owner.size() / kOneIn);
  std::vector<Index> given(columns.size(), 0);
  std::vector<Index> held_out;
  for (const Index column : order) {
    const auto i = static_cast<std::size_t>(owner[static_cast<std::size_t>(column)]);
    if (held_out.size() == wanted) break;
    if (given[i] + 1 > columns[i] / 2) continue;
    ++given[i];
    held_out.push_back(column);
  }
  if (held_out.empty()) {
    return error(ErrorCode::kUsage, "no column can be held out: every agent has only one; lower `agents`");
  }
  std::sort(held_out.begin(), held_out.end());
  return held_out;
}

Result<std::optional<JoiningOutcome>> run_joining(const TrialProblem& problem, const StopQuestion& stop) {
  const std::optional<JoiningOutcome> stopped;
  PPDNMF_TRY(const std::vector<Index> held_out, choose_held_out(problem.columns, problem.seed));
  const Divided d = divide(problem.Z, problem.columns, held_out);
  JoiningOutcome outcome;
  outcome.held_out = d.test.cols();
  outcome.rank_alone = problem.rank;
  Index first = 0;
  for (const Index count : d.columns) {
    const Index rank = std::min({problem.rank, count, d.train.rows()});
    outcome.rank_alone = std::min(outcome.rank_alone, rank);
    PPDNMF_TRY(const std::optional<double> alone, learn_in_one_place(d, {first, count}, rank, problem.seed, stop));
    if (!alone) return stopped;
    outcome.alone.push_back(*alone);
    first += count;
  }
  PPDNMF_TRY(const std::optional<double> centre,
             learn_in_one_place(d, {0, d.train.cols()}, problem.rank, problem.seed, stop));
  if (!centre) return stopped;
  outcome.centre = *centre;
  PPDNMF_TRY(const std::optional<double> together, learn_together(problem, d, stop));
  if (!together) return stopped;
  outcome.together = *together;
  return std::optional(std::move(outcome));
}

Bytes encode(const JoiningOutcome& outcome) {
  ByteWriter out;
  out.put<std::uint64_t>(outcome.alone.size());
  out.put_array(outcome.alone.data(), outcome.alone.size());
  out.put(outcome.together);
  out.put(outcome.centre);
  out.put<std::int64_t>(outcome.held_out);
  out.put<std::int64_t>(outcome.rank_alone);
  return out.take();
}

Result<JoiningOutcome> decode_joining(ByteSpan bytes) {
  ByteReader in(bytes);
  JoiningOutcome outcome;
  outcome.alone.resize(std::min<std::uint64_t>(in.get<std::uint64_t>(), in.left() / sizeof(double)));
  in.get_array(outcome.alone.data(), outcome.alone.size());
  outcome.together = in.get<double>();
  outcome.centre = in.get<double>();
  outcome.held_out = in.get<std::int64_t>();
  outcome.rank_alone = in.get<std::int64_t>();
  PPDNMF_TRY_STATUS(in.status());
  if (outcome.alone.empty()) return error(ErrorCode::kInvalidData, "it names no agent");
  return outcome;
}

}  // namespace ppdnmf::experiment
