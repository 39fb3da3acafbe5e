#include <ppdnmf/audit/model/view.h>

#include <algorithm>

#include <ppdnmf/base/result.h>

namespace ppdnmf::audit {

const MemberView& AttackerView::alone() const {
  PPDNMF_CHECK(members.size() == 1);
  return members.begin()->second;
}

AgentId AttackerView::self() const {
  PPDNMF_CHECK(members.size() == 1);
  return members.begin()->first;
}

std::vector<std::int64_t> own_u(const MemberView& member, protocol::Round round, Index size) {
  const auto query =
      std::find_if(member.queries.begin(), member.queries.end(), [&](const OwnQuery& q) { return q.round == round; });
  PPDNMF_CHECK(query != member.queries.end());
  std::vector<std::int64_t> u(static_cast<std::size_t>(size));
  for (std::size_t t = 0; t < u.size(); ++t) u[t] = -query->minus_u[t];
  return u;
}

const OpenedSum* opened_in(const MemberView& member, protocol::Round round) {
  const auto found = std::find_if(member.opened.begin(), member.opened.end(),
                                  [&](const OpenedSum& sum) { return sum.round == round; });
  return found == member.opened.end() ? nullptr : &*found;
}

}  // namespace ppdnmf::audit
