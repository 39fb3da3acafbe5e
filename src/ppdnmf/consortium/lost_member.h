// Going on without a member that was lost.
#ifndef PPDNMF_CONSORTIUM_LOST_MEMBER_H_
#define PPDNMF_CONSORTIUM_LOST_MEMBER_H_

#include <string>
#include <vector>

#include <ppdnmf/consortium/consortium.h>

namespace ppdnmf::consortium {

// The consortium without the member `lost`: what was agreed stays, but for what names that member and the X that the
// old run began with. Its neighbours are joined one after another, in the members' order, where one of two listens or
// there is a relay: a ring stays a ring. Fails with kUsage if there is no such member.
[[nodiscard]] Result<Consortium> without_member(Consortium consortium, const std::string& lost);

// What the run of `next` and one in which `lost` took part tell about it together, to every member that has both: one
// sentence each, beginning with a small letter. `lost` may be several names.
[[nodiscard]] std::vector<std::string> difference_notes(const Consortium& next, const std::string& lost);

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_LOST_MEMBER_H_
