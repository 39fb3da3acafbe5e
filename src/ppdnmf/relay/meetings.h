// Who meets whom at a relay, and who has to go. Pure: connections are numbers here, members their places in the
// consortium file.
//
// Of two neighbours one waits and one dials. A waiting connection is given to the first that dials it. A newer one
// takes the place of an older one of the same kind, since the older is likely to be dead and not to know; of
// connections that met, the oldest goes when there are too many. So a member has at most a fixed number of them for
// each neighbour, whatever it does.
#ifndef PPDNMF_RELAY_MEETINGS_H_
#define PPDNMF_RELAY_MEETINGS_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/net/meeting.h>
#include <ppdnmf/protocol/graph.h>

namespace ppdnmf::relay {

struct MeetingLimits {
  std::size_t met = 3;             // pairs of connections that met, between two members
  double requests_at_once = 100;   // of one member, and at least kRequests for each of its neighbours, with...
  double requests_per_second = 4;  // ...so many more later
};

class Meetings {
 public:
  using Number = std::uint64_t;  // of a connection
  using Time = std::chrono::steady_clock::time_point;

  // The graph outlives this.
  explicit Meetings(const protocol::Graph& graph, const MeetingLimits& limits = {}) : graph_(graph), limits_(limits) {}

  struct Answer {
    net::LetterKind kind = net::LetterKind::kWaits;    // kWaits, kMet, kThere or kRefused
    net::Refusal reason = net::Refusal::kNoNeighbour;  // if refused
    Number partner = 0;                                // if it met: the connection of the other
    std::vector<Number> replaced;                      // have to go: a newer one took their place
  };
  // A connection of `member` wants to meet `other`. It has not asked before.
  [[nodiscard]] Answer ask(Number connection, AgentId member, net::Role role, AgentId other, Time now);
  // It is gone, and so is the connection that it met. Unknown numbers do no harm.
  void left(Number connection);
  // It meets each of them, meets them again after a restart, and is looked at by `doctor` in between.
  static constexpr double kRequests = 4;
  // The most connections that can be known here at one time.
  [[nodiscard]] static std::size_t most(const protocol::Graph& graph, const MeetingLimits& limits = {});
  [[nodiscard]] std::size_t size() const { return places_.size(); }

 private:
  using Key = std::pair<AgentId, AgentId>;  // who waits, who dials
  struct Edge {
    Number waits = 0, dials = 0;  // 0: none
    std::deque<std::pair<Number, Number>> met;
  };
  struct Budget {
    double requests = 0;
    Time at{};
  };
  [[nodiscard]] bool may_ask(AgentId member, std::size_t neighbours, Time now);
  void replace(Number& place, Number by, Answer& answer);
  void join(Edge& edge, const Key& key, Number waits, Number dials, Answer& answer);

  const protocol::Graph& graph_;
  MeetingLimits limits_;
  std::map<Key, Edge> edges_;
  std::map<Number, Key> places_;
  std::map<AgentId, Budget> budgets_;
};

}  // namespace ppdnmf::relay

#endif  // PPDNMF_RELAY_MEETINGS_H_
