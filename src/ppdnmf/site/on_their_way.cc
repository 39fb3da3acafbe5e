#include <ppdnmf/site/on_their_way.h>

#include <utility>

namespace ppdnmf::site {
namespace {

template <typename... Cases>
struct Each : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Each(Cases...) -> Each<Cases...>;  // clang 14 does not deduce aggregates by itself

}  // namespace

bool OnTheirWay::contains(AgentId to, const protocol::Message& message) const {
  const auto found = names_.find(to);
  return found != names_.end() && found->second.contains(name_of(message));
}

OnTheirWay::Name OnTheirWay::name_of(const protocol::Message& message) {
  const auto [number, again] =
      std::visit(Each{[](const protocol::Hello& hello) { return std::pair(std::uint64_t{0}, hello.again); },
                      [](const protocol::Query& query) { return std::pair(query.round.number(), false); },
                      [](const protocol::Reply& reply) { return std::pair(reply.round.number(), false); },
                      [](const protocol::Partial& partial) { return std::pair(std::uint64_t{partial.number}, false); },
                      [](const protocol::Total& total) { return std::pair(std::uint64_t{total.number}, false); }},
                 message.body);
  return {message.run, message.body.index(), number, again};
}

}  // namespace ppdnmf::site
