#include <ppdnmf/audit/model/setups.h>

#include <algorithm>
#include <numeric>
#include <span>

#include <ppdnmf/audit/model/prior.h>
#include <ppdnmf/audit/model/samples.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/protocol/column_minimum.h>
#include <ppdnmf/protocol/neighbours/isolation.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/protocol/sum_masks.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::audit {
namespace {

// What plan_noise says if the agents have about so many columns.
Result<privacy::NoisePlan> plan_for(const AuditSetup& setup, double columns) {
  privacy::PlanRequest request;
  request.budget = {setup.epsilon, kAuditDelta};
  request.rows = setup.rows;
  request.rank = setup.rank;
  request.rounds = privacy::kPrivateRounds;
  request.agents = setup.agents;
  request.honest = setup.agents - 1;
  request.columns = columns;
  request.mask_partners = protocol::kRingPartners;
  return privacy::plan_noise(request);
}

// The noise does not depend on the number of columns: with a large one, a plan is made even where a real run would
// refuse.
privacy::NoisePlan plan_of(const AuditSetup& setup) {
  constexpr double kPretended = 0.1 / kAuditDelta;
  const auto plan = plan_for(setup, kPretended);
  PPDNMF_CHECK(plan.has_value());
  return *plan;
}

void make_private(const AuditSetup& setup, AuditProblem& problem) {
  privacy::NoisePlan plan = plan_of(setup);
  const double variance = static_cast<double>(plan.share_variance) * setup.noise * setup.noise;
  plan.share_variance = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(variance));  // 1: of units², nothing
  problem.settings.iterations = plan.rounds;
  problem.settings.privacy = protocol::PrivacySettings{{setup.epsilon, kAuditDelta}, nmf::ColumnNorm::kL2, plan};
  problem.masks = true;
}

}  // namespace

double account_of(const AuditSetup& setup) { return plan_of(setup).rho; }

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

AuditProblem problem_of(const AuditSetup& setup, std::uint64_t seed, std::uint64_t rounds) {
  auto made = sim::make_topology(setup.topology, setup.agents, Seed::from_number(seed));
  PPDNMF_CHECK(made.has_value());
  const protocol::Graph graph = *std::move(made);
  AuditProblem problem{graph, {}, {}, seed, rounds, {}, false, false, {}};
  problem.settings = setup.scheme == protocol::SchemeKind::kAsPrinted
                         ? printed_settings(setup.rows, setup.rank, graph)
                         : default_settings(setup.scheme, setup.rows, setup.rank, graph);
  if (setup.bare) remove_countermeasures(problem.settings, graph);
  if (setup.epsilon > 0) make_private(setup, problem);
  if (setup.poisson) {
    problem.settings.loss = nmf::LossKind::kPoisson;
    problem.settings.curvature = *setup.poisson;
    problem.settings.iterations = nmf::usual_rounds(nmf::LossKind::kPoisson, *setup.poisson);
  }
  problem.settings.starts = setup.starts;
  problem.Z = {population_of(setup, seed), columns_of(setup)};
  return problem;
}

double MembershipCandidates::area(const Eigen::VectorXd& scores) const {
  const std::span all(scores.data(), static_cast<std::size_t>(scores.size()));
  const auto split = static_cast<std::size_t>(members);
  return area_under_curve(all.first(split), all.subspan(split));
}

MembershipCandidates candidates_of(const AuditSetup& setup, std::uint64_t seed, Index reference) {
  constexpr Index kStrangers = 10;
  const Index others = setup.each * (setup.agents - 1);
  const Matrix population = population_of(setup, seed, kStrangers + reference);
  MembershipCandidates out;
  out.members = std::min(kStrangers, 2 * setup.each);
  out.columns.resize(setup.rows, out.members + kStrangers);
  // Members are columns of the neighbours in the ring, agents 1 and N - 1.
  for (Index m = 0; m < out.members; ++m) {
    out.columns.col(m) = population.col(setup.own + (m % 2 == 0 ? m / 2 : others - 1 - m / 2));
  }
  out.columns.rightCols(kStrangers) = population.middleCols(setup.own + others, kStrangers);
  out.reference = population.rightCols(reference);
  return out;
}

Result<Recording> record(const AuditProblem& problem) {
  SerialExecutor serial;
  return Recording::make(problem, serial);
}

const OwnReply* reply_of(const Recording& run, AgentId of, AgentId asker, protocol::Round round) {
  for (const OwnReply& reply : run.all_of(of).replies) {
    if (reply.asker == asker && reply.round == round) return &reply;
  }
  return nullptr;
}

crypto::KeyOptions small_keys() {
  crypto::KeyOptions keys;
  keys.bits = 512;
  keys.test_only = true;
  return keys;
}

std::vector<protocol::Message> send_unchanged(AgentId /*from*/, AgentId /*to*/, const protocol::Message& message) {
  return {message};
}

TreePlaces places_in(const protocol::Graph& graph) {
  const std::vector<protocol::TreePlace> tree = protocol::spanning_tree(graph);
  TreePlaces places;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    if (!tree[i].parent) {
      places.root = AgentId{i};
    } else if (tree[i].children.empty()) {
      places.leaf = AgentId{i};
      places.leafs_parent = *tree[i].parent;
    }
  }
  return places;
}

Eigen::VectorXd first_answer(const Recording& run, const Matrix& columns) {
  nmf::DescentRequest first;
  first.X = run.X0();
  first.restart = true;
  return moments_of({first}, columns / run.scale(), run.X0().cols());
}

double final_error(const Recording& run, const AuditSetup& setup) {
  Matrix all(setup.rows, run.others(kAttacker).cols() + setup.own);
  all << run.all_of(kAttacker).Z, run.others(kAttacker);
  return nmf::best_error(run.all_of(AgentId{1}).X, all);
}

double guess_error(const Matrix& truth, const Matrix& own) {
  Matrix drawn(truth.rows(), truth.cols());
  for (Index m = 0; m < drawn.cols(); ++m) drawn.col(m) = own.col(m % own.cols());
  return std::min(column_error(truth, guessed_columns(own, truth.cols())), column_error(truth, drawn));
}

bool is_accepted(const AuditSetup& setup) {
  if (setup.scheme == protocol::SchemeKind::kAsPrinted || setup.bare) return false;
  const std::vector<Index> columns = columns_of(setup);
  const Index total = std::accumulate(columns.begin(), columns.end(), Index{0});
  if (setup.epsilon > 0 && (setup.noise != 1 || !plan_for(setup, static_cast<double>(total)))) return false;
  const protocol::ColumnMinimum minimum = protocol::column_minimum(setup.scheme, setup.rows, setup.rank);
  const bool enough = std::all_of(columns.begin(), columns.end(),
                                  [&](Index own) { return protocol::check_columns(minimum, own, total).has_value(); });
  const auto graph = sim::make_topology(setup.topology, setup.agents, Seed::from_number(1));
  const std::vector<protocol::neighbours::Isolation> alone = protocol::neighbours::isolation(*graph, setup.scheme);
  return enough && std::all_of(alone.begin(), alone.end(),
                               [](const protocol::neighbours::Isolation& i) { return i.colluders > 0; });
}

}  // namespace ppdnmf::audit
