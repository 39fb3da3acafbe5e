#include <ppdnmf/audit/attacks/a1_common_divisor.h>

#include <numeric>

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

}  // namespace ppdnmf::audit
