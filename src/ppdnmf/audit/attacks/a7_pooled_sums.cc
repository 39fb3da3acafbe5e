#include <ppdnmf/audit/attacks/a7_pooled_sums.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include <ppdnmf/audit/model/honest_sum.h>
#include <ppdnmf/audit/model/least_squares.h>

namespace ppdnmf::audit {
namespace {

// The coalition's equations of one exchange, one row per member: factors * [m_j u_j, m_j] = known, where m_j is 1 for
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

}  // namespace ppdnmf::audit
