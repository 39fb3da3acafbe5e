#include "audit/a7_pooled_sums.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "audit/least_squares.h"
#include "protocol/isolation.h"

namespace ppdnmf {
namespace {

// The coalition's equations of one exchange: factors * [G_j u_j, G_j] = known, one row per member.
struct Equations {
  std::vector<AgentId> unknown;  // the agents outside that some member has as a neighbour
  Matrix factors;
  Matrix known;  // rows * rank numbers and the weights' sum
};

double factor_of(const AttackerView& view, const EdgeFactors& factors, AgentId i, AgentId j) {
  const std::vector<AgentId>& neighbours = view.graph.neighbours(i);
  const auto place = std::find(neighbours.begin(), neighbours.end(), j) - neighbours.begin();
  return factors[i.value][static_cast<std::size_t>(place)];
}

Vector known_of(const AttackerView& view, AgentId id, const MemberView& member, Round round) {
  const Index size = view.settings.rows * view.settings.rank;
  const OpenedSum& sum = *opened_in(member, round);
  const std::vector<std::int64_t> u = own_u(member, round, size);
  const auto weights = static_cast<double>(sum.values.back());
  Vector known(size + 1);
  for (Index t = 0; t < size; ++t) {
    const auto k = static_cast<std::size_t>(t);
    known(t) = static_cast<double>(sum.values[k]) + weights * static_cast<double>(u[k]);
  }
  known(size) = weights;
  for (const AgentId j : view.graph.neighbours(id)) {
    if (!view.has(j)) continue;
    const MemberView& friendly = view.members.at(j);
    const auto reply = std::find_if(friendly.replies.begin(), friendly.replies.end(),
                                    [&](const OwnReply& r) { return r.round == round && r.asker == id; });
    const auto weight = static_cast<double>(reply->weight);
    for (Index t = 0; t < size; ++t) known(t) -= weight * static_cast<double>(reply->u[static_cast<std::size_t>(t)]);
    known(size) -= weight;
  }
  return known;
}

Equations equations_of(const AttackerView& view, Round round) {
  const EdgeFactors factors = equal_factors(view.graph);
  Equations out;
  for (const auto& [id, member] : view.members) {
    for (const AgentId j : view.graph.neighbours(id)) {
      if (!view.has(j)) out.unknown.push_back(j);
    }
  }
  std::sort(out.unknown.begin(), out.unknown.end());
  out.unknown.erase(std::unique(out.unknown.begin(), out.unknown.end()), out.unknown.end());
  const auto rows = static_cast<Index>(view.members.size());
  out.factors = Matrix::Zero(rows, static_cast<Index>(out.unknown.size()));
  out.known.resize(rows, view.settings.rows * view.settings.rank + 1);
  Index row = 0;
  for (const auto& [id, member] : view.members) {
    for (std::size_t k = 0; k < out.unknown.size(); ++k) {
      const std::vector<AgentId>& neighbours = view.graph.neighbours(id);
      if (!std::binary_search(neighbours.begin(), neighbours.end(), out.unknown[k])) continue;
      out.factors(row, static_cast<Index>(k)) = factor_of(view, factors, id, out.unknown[k]);
    }
    out.known.row(row++) = known_of(view, id, member, round).transpose();
  }
  return out;
}

}  // namespace

std::vector<WeightClaim> pooled_sums(const AttackerView& view, Round round) {
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

}  // namespace ppdnmf
