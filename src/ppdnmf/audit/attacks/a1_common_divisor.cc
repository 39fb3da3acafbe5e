#include <ppdnmf/audit/attacks/a1_common_divisor.h>

#include <cstdlib>
#include <numeric>
#include <utility>

#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {

std::vector<WeightClaim> common_divisors(const AttackerView& view) {
  const MemberView& self = view.alone();
  const Index size = view.settings.rows * view.settings.rank;
  std::vector<WeightClaim> claims;
  for (const OpenedSum& sum : self.opened) {
    std::int64_t divisor = 0;
    for (Index t = 0; t < size; ++t) divisor = std::gcd(divisor, sum.values[static_cast<std::size_t>(t)]);
    if (divisor == 0) continue;  // all entries zero: the neighbour said what we said
    std::vector<std::int64_t> u = own_u(self, sum.round, size);
    for (std::size_t t = 0; t < u.size(); ++t) u[t] += sum.values[t] / divisor;
    for (const AgentId of : sum.of) claims.push_back({of, sum.round, divisor, u});
  }
  return claims;
}

namespace {

// A factor to the last quantum; what a reply was made of may have a slot more.
bool is_same(const std::vector<std::int64_t>& claim, const std::vector<std::int64_t>& u) {
  for (std::size_t t = 0; t < claim.size(); ++t) {
    if (std::abs(claim[t] - u[t]) > 1) return false;
  }
  return true;
}

// The share of weights that are common divisors. As printed: with the updates as printed.
Result<Trial> weights_trial(const AuditSetup& setup, std::uint64_t seed) {
  PPDNMF_TRY(const Recording run, record(problem_of(setup, seed, 9)));
  int right = 0;
  int all = 0;
  for (const WeightClaim& claim : common_divisors(run.view(kAttacker))) {
    const OwnReply* reply = reply_of(run, claim.of, kAttacker, claim.round);
    ++all;
    right += reply != nullptr && reply->weight == claim.weight && is_same(claim.u, reply->u) ? 1 : 0;
  }
  return Trial{all == 0 ? 0 : right / static_cast<double>(all), 0};
}

}  // namespace

void plan_common_divisors(Plan& plan) {
  for (const auto& [scheme, full] : {std::pair{kPrinted, 20}, {kHardened, 100}}) {
    const AuditSetup s{scheme};
    plan.add(Plan::row("A1", s, "share of weights and factors found by common divisors", Measure::kShare),
             plan.seeds(full, 3), [s](std::uint64_t seed) { return weights_trial(s, seed); });
  }
}

}  // namespace ppdnmf::audit
