#include <ppdnmf/audit/attacks/a7_pooled_parts.h>

#include <algorithm>
#include <functional>

#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/spanning_tree.h>
#include <ppdnmf/protocol/sum_scheme.h>
#include <ppdnmf/protocol/words.h>

namespace ppdnmf::audit {
namespace {

constexpr std::uint32_t kFirstMasked = 0;  // its chain is the digest of the run

const protocol::Partial* part_from(const MemberView& member, AgentId of,
                                   const std::function<bool(const protocol::Partial&)>& wanted) {
  for (const ReceivedMessage& received : member.received) {
    const auto* part = std::get_if<protocol::Partial>(&received.message.body);
    if (received.from == of && part != nullptr && wanted(*part)) return part;
  }
  return nullptr;
}

}  // namespace

std::optional<Vector> pooled_part(const AttackerView& view, AgentId of) {
  const std::size_t words = protocol::SumScheme::words(view.settings);
  for (const auto& [id, member] : view.members) {
    const protocol::Partial* part = part_from(member, of, [&](const protocol::Partial& p) {
      return p.number >= protocol::kOpeningSums && p.payload.size() == 16 * words;
    });
    const protocol::Partial* first =
        part_from(member, of, [&](const protocol::Partial& p) { return p.number == kFirstMasked; });
    if (part == nullptr || first == nullptr) continue;
    protocol::Words left = protocol::words_of(part->payload);
    for (const auto& [helper, knows] : view.members) {
      if (!knows.sum_secrets) continue;  // a run without masks
      const crypto::IdentityBytes& nonce =
          (*knows.sum_secrets->nonces)[of.value];  // the roll call tells all of them to all
      const protocol::SumSecrets& own = *knows.sum_secrets;
      auto pair = crypto::SumPairKey::agree({own.identity, own.ephemeral}, {(*own.members)[of.value], nonce},
                                            first->chain, helper < of);
      if (!pair) return std::nullopt;
      pair->apply(left, part->chain);  // the helper's mask is minus the agent's
    }
    const std::vector<double> values = protocol::from_words(left);
    return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
  }
  return std::nullopt;
}

Result<Trial> pooled_parts_trial(std::uint32_t honest, std::uint64_t seed) {
  const AuditSetup setup{protocol::SchemeKind::kSum, "random:3", 6, 20, 20, 10, 3, false, false};
  AuditProblem problem = problem_of(setup, seed, 2);
  problem.masks = true;
  PPDNMF_TRY(const Recording run, record(problem));
  // The target is a leaf of the tree; its parent colludes, and so do all others but `honest` - 1.
  const std::vector<protocol::TreePlace> tree = protocol::spanning_tree(problem.graph);
  std::uint32_t target = 0;
  while (!tree[target].children.empty() || !tree[target].parent) ++target;
  std::vector<AgentId> coalition{*tree[target].parent};
  for (std::uint32_t i = 0; coalition.size() < setup.agents - honest; ++i) {
    if (i != target && AgentId{i} != coalition.front()) coalition.push_back(AgentId{i});
  }
  const AttackerView view = run.view(coalition);
  const Vector truth = first_answer(run, problem.Z[target]);
  const Vector guess = first_answer(run, problem.Z[coalition.front().value]);
  const auto claim = pooled_part(view, AgentId{target});
  if (!claim) return error(ErrorCode::kInternal, "the target's part did not reach its parent");
  return Trial{std::min(1e9, relative_error_of(truth, *claim)), relative_error_of(truth, guess)};
}

void plan_pooled_parts(Plan& plan) {
  const char* share = "relative error of one agent's share of a total";
  plan.add(Plan::row("A7, A11", "sum", "5 of 6 agents together, the printed number", share, Measure::kError, false),
           plan.seeds(20, 2), [](std::uint64_t seed) { return pooled_parts_trial(1, seed); });
  plan.add(Plan::row("A7, A11", "sum", "4 of 6 agents together, one fewer", share, Measure::kError, true),
           plan.seeds(100, 5), [](std::uint64_t seed) { return pooled_parts_trial(2, seed); });
}

}  // namespace ppdnmf::audit
