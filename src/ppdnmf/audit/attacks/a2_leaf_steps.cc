#include <ppdnmf/audit/attacks/a2_leaf_steps.h>

#include <algorithm>

namespace ppdnmf::audit {
namespace {

Matrix as_matrix(const std::vector<std::int64_t>& u, const protocol::RunSettings& s) {
  Matrix U(s.rows, s.rank);
  for (Index t = 0; t < U.size(); ++t) {
    U.data()[t] = static_cast<double>(u[static_cast<std::size_t>(t)]) / static_cast<double>(s.n_max);
  }
  return U;
}

}  // namespace

std::vector<LeafStep> replay_leaf(const AttackerView& view, AgentId leaf, const std::vector<WeightClaim>& claims) {
  const protocol::RunSettings& s = view.settings;
  const MemberView& self = view.alone();
  const bool printed = s.updates == nmf::Updates::kAsPrinted;
  std::vector<LeafStep> steps;
  Matrix U = view.X0;
  Matrix Q = Matrix::Zero(s.rows, s.rank);
  Matrix Q_before = Q;
  for (const WeightClaim& claim : claims) {
    if (claim.of != leaf) continue;
    const auto reply = std::find_if(self.replies.begin(), self.replies.end(),
                                    [&](const OwnReply& r) { return r.round == claim.round && r.asker == leaf; });
    if (reply == self.replies.end()) continue;
    const double rho = static_cast<double>(claim.weight) * static_cast<double>(reply->weight) / (s.g_scale * s.g_scale);
    LeafStep& step = steps.emplace_back();
    step.round = claim.round;
    step.c = rho;
    step.given = printed ? Matrix(rho * (U + 2 * Q - Q_before)) : Matrix(rho * U + 2 * Q - Q_before);
    step.U = as_matrix(claim.u, s);
    U = step.U;
    Q_before = Q;
    Q += (printed ? 1.0 : 0.5) * rho * (as_matrix(own_u(self, claim.round, s.rows * s.rank), s) - U);
  }
  return steps;
}

}  // namespace ppdnmf::audit
