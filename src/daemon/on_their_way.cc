#include "daemon/on_their_way.h"

#include <utility>

namespace ppdnmf {
namespace {

template <typename... Cases>
struct Each : Cases... {
  using Cases::operator()...;
};

}  // namespace

bool OnTheirWay::contains(AgentId to, const Message& message) const {
  const auto found = names_.find(to);
  return found != names_.end() && found->second.contains(name_of(message));
}

OnTheirWay::Name OnTheirWay::name_of(const Message& message) {
  const auto [number, again] =
      std::visit(Each{[](const Hello& hello) { return std::pair(std::uint64_t{hello.stage}, hello.again); },
                      [](const Query& query) { return std::pair(query.round.number(), false); },
                      [](const Reply& reply) { return std::pair(reply.round.number(), false); },
                      [](const Partial& partial) { return std::pair(std::uint64_t{partial.number}, false); },
                      [](const Total& total) { return std::pair(std::uint64_t{total.number}, false); }},
                 message.body);
  return {message.run, message.body.index(), number, again};
}

}  // namespace ppdnmf
