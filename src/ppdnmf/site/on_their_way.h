// Which messages to which neighbours wait to be written, so that none is queued twice. Not thread-safe.
#ifndef PPDNMF_SITE_ON_THEIR_WAY_H_
#define PPDNMF_SITE_ON_THEIR_WAY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/protocol/message.h>

namespace ppdnmf::site {

class OnTheirWay {
 public:
  void add(AgentId to, const protocol::Message& message) { names_[to].insert(name_of(message)); }
  // Everything for this neighbour was written, or its stream is another one.
  void clear(AgentId to) { names_.erase(to); }
  [[nodiscard]] bool contains(AgentId to, const protocol::Message& message) const;

 private:
  // Two messages of an agent that have one name have the same content.
  using Name = std::tuple<RunId, std::size_t, std::uint64_t, bool>;
  [[nodiscard]] static Name name_of(const protocol::Message& message);
  std::map<AgentId, std::set<Name>> names_;
};

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_ON_THEIR_WAY_H_
