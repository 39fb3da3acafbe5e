// Which of two neighbours dials the other.
#ifndef PPDNMF_CONSORTIUM_DIALLING_H_
#define PPDNMF_CONSORTIUM_DIALLING_H_

#include <ppdnmf/base/ids.h>
#include <ppdnmf/consortium/consortium.h>

namespace ppdnmf::consortium {

// Along every edge the later member dials the earlier one; who does not listen dials.
[[nodiscard]] inline bool dials(const Consortium& consortium, AgentId self, AgentId peer) {
  const bool listens = consortium.members.at(self.value).address.has_value();
  const bool peer_listens = consortium.members.at(peer.value).address.has_value();
  if (listens != peer_listens) return peer_listens;
  return self > peer;
}

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_DIALLING_H_
