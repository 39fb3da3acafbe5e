#include <ppdnmf/audit/attacks/a7_pooled_sums.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <ppdnmf/audit/model/honest_sum.h>
#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/protocol/neighbours/isolation.h>

namespace ppdnmf::audit {
namespace {

// The coalition's equations of one round, one row per member: factors * [m_j u_j, m_j] = known, where m_j is 1 for
// common weights (the factors are those of the edges) and the secret weight otherwise.
struct Equations {
  std::vector<AgentId> unknown;  // the agents outside that some member has as a neighbour
  Matrix factors;
  Matrix known;
};

Equations equations_of(const AttackerView& view, protocol::Round round) {
  Equations out;
  for (const auto& [id, member] : view.members) {
    for (const AgentId j : view.graph.neighbours(id)) {
      if (!view.has(j)) out.unknown.push_back(j);
    }
  }
  std::sort(out.unknown.begin(), out.unknown.end());
  out.unknown.erase(std::unique(out.unknown.begin(), out.unknown.end()), out.unknown.end());
  const auto rows = static_cast<Index>(view.members.size());
  const Index size = view.settings.rows * view.settings.rank;
  out.factors = Matrix::Zero(rows, static_cast<Index>(out.unknown.size()));
  out.known.resize(rows, size + 1);
  Index row = 0;
  for (const auto& [id, member] : view.members) {
    const std::vector<AgentId>& neighbours = view.graph.neighbours(id);
    for (std::size_t k = 0; k < out.unknown.size(); ++k) {
      if (!std::binary_search(neighbours.begin(), neighbours.end(), out.unknown[k])) continue;
      out.factors(row, static_cast<Index>(k)) = factor_of(view, id, out.unknown[k]);
    }
    const HonestSum sum = honest_sum(view, id, round);
    out.known.row(row).head(size) = sum.weighted.transpose();
    out.known(row, size) = sum.weights;
    ++row;
  }
  return out;
}

}  // namespace

std::vector<WeightClaim> pooled_sums(const AttackerView& view, protocol::Round round) {
  const Equations equations = equations_of(view, round);
  std::vector<WeightClaim> claims;
  if (equations.unknown.empty()) return claims;
  const Eigen::CompleteOrthogonalDecomposition<Matrix> solver(equations.factors.transpose());
  for (std::size_t k = 0; k < equations.unknown.size(); ++k) {
    Vector unit = Vector::Zero(static_cast<Index>(equations.unknown.size()));
    unit(static_cast<Index>(k)) = 1;
    const Vector combination = solver.solve(unit);
    constexpr double kInSpan = 1e-9;
    if ((equations.factors.transpose() * combination - unit).norm() > kInSpan) continue;
    const Vector found = equations.known.transpose() * combination;
    const double weight = std::round(found(found.size() - 1));
    if (!(weight >= 1)) continue;
    WeightClaim& claim = claims.emplace_back();
    claim.of = equations.unknown[k];
    claim.round = round;
    claim.weight = static_cast<std::int64_t>(weight);
    for (Index t = 0; t + 1 < found.size(); ++t) claim.u.push_back(std::llround(found(t) / weight));
  }
  return claims;
}

namespace {

// A secret weight exactly, the factor to a thousandth of its largest entry: blinding of agents with large weights is
// carried along.
bool is_true(const Recording& run, const WeightClaim& claim) {
  const OwnReply& reply = run.all_of(claim.of).replies.front();
  std::int64_t largest = 0;
  std::int64_t off = 0;
  for (std::size_t t = 0; t < claim.u.size(); ++t) {
    largest = std::max(largest, std::abs(reply.u[t]));
    off = std::max(off, std::abs(claim.u[t] - reply.u[t]));
  }
  const bool weight = claim.weight == 1 || reply.weight == claim.weight;
  return weight && 1000 * off <= largest;
}

}  // namespace

FewestHelpers fewest_helpers(const Recording& run, std::uint32_t max_coalition) {
  const std::uint32_t agents = run.graph().agents();
  FewestHelpers out{std::vector(agents, std::numeric_limits<std::uint32_t>::max()), 0};
  for (std::uint32_t set = 1; set < 1U << agents; ++set) {
    std::vector<AgentId> coalition;
    for (std::uint32_t i = 0; i < agents; ++i) {
      if (((set >> i) & 1U) != 0) coalition.push_back(AgentId{i});
    }
    if (coalition.size() > max_coalition) continue;
    for (const WeightClaim& claim : pooled_sums(run.view(coalition), protocol::Round{1, 1})) {
      std::uint32_t& fewest = out.of[claim.of.value];
      const bool right = is_true(run, claim);
      if (right) fewest = std::min(fewest, static_cast<std::uint32_t>(coalition.size() - 1));
      out.false_claims += right ? 0 : 1;
    }
  }
  return out;
}

namespace {

constexpr std::uint32_t kAgents = 10;
constexpr std::uint32_t kMaxCoalition = 5;

// Over all coalitions of a random graph, the share of agents that fall to fewer helpers than is printed (`below`), or
// the share that do not fall to as many as are printed.
Result<Trial> pooled_trial(bool below, std::uint64_t seed) {
  const std::string topology = seed % 2 == 0 ? "random:4" : "random:3";
  AuditSetup setup{protocol::SchemeKind::kHardened, topology, kAgents, 4, 4, 6, 2, false, false};
  const AuditProblem problem = problem_of(setup, seed, 1);
  PPDNMF_TRY(const Recording run, record(problem));
  const std::vector<protocol::neighbours::Isolation> printed =
      protocol::neighbours::isolation(problem.graph, protocol::SchemeKind::kHardened);
  const std::vector<std::uint32_t> fewest = fewest_helpers(run, kMaxCoalition).of;
  double count = 0;
  for (std::uint32_t j = 0; j < kAgents; ++j) {
    // Larger coalitions were not tried: an agent that needs one is only known not to fall below.
    const bool reachable = printed[j].colluders < kMaxCoalition;
    if (below && fewest[j] < printed[j].colluders) ++count;
    if (!below && reachable && fewest[j] != printed[j].colluders) ++count;
  }
  return Trial{count / kAgents, 0};
}

}  // namespace

void plan_pooled_sums(Plan& plan) {
  const char* position = "coalitions of up to 5 in random graphs of 10";
  plan.add(Plan::row("A7, A11", "hardened", position, "share of agents seen alone by fewer than is printed",
                     Measure::kShare, true),
           plan.seeds(200, 20), [](std::uint64_t seed) { return pooled_trial(true, seed); });
  plan.add(Plan::row("A7, A11", "hardened", position, "share of agents not seen alone by as many as are printed",
                     Measure::kShare, true),
           plan.seeds(200, 20), [](std::uint64_t seed) { return pooled_trial(false, seed); });
}

}  // namespace ppdnmf::audit
