#include <ppdnmf/relay/meetings.h>

#include <algorithm>

namespace ppdnmf::relay {

std::size_t Meetings::most(const protocol::Graph& graph, const MeetingLimits& limits) {
  return graph.edges().size() * 2 * (2 + 2 * limits.met);  // whoever waits in one file may dial in another
}

bool Meetings::may_ask(AgentId member, std::size_t neighbours, Time now) {
  const double most = std::max(limits_.requests_at_once, kRequests * static_cast<double>(neighbours));
  const auto [at, first] = budgets_.try_emplace(member, Budget{most, now});
  Budget& budget = at->second;
  const std::chrono::duration<double> since = now - budget.at;
  budget.requests = std::min(most, budget.requests + since.count() * limits_.requests_per_second);
  budget.at = now;
  if (budget.requests < 1) return false;
  --budget.requests;
  return true;
}

void Meetings::replace(Number& place, Number by, Answer& answer) {
  if (place != 0) {
    answer.replaced.push_back(place);
    places_.erase(place);
  }
  place = by;
}

void Meetings::join(Edge& edge, const Key& key, Number waits, Number dials, Answer& answer) {
  answer.kind = net::LetterKind::kMet;
  places_[waits] = places_[dials] = key;
  edge.met.emplace_back(waits, dials);
  if (edge.met.size() <= limits_.met) return;
  for (const Number old : {edge.met.front().first, edge.met.front().second}) {
    answer.replaced.push_back(old);
    places_.erase(old);
  }
  edge.met.pop_front();
}

Meetings::Answer Meetings::ask(Number connection, AgentId member, net::Role role, AgentId other, Time now) {
  Answer answer;
  const auto refuse = [&](net::Refusal reason) {
    answer.kind = net::LetterKind::kRefused;
    answer.reason = reason;
    return answer;
  };
  const std::vector<AgentId> neighbours = graph_.neighbours(member);
  if (!may_ask(member, neighbours.size(), now)) return refuse(net::Refusal::kTooOften);
  if (std::find(neighbours.begin(), neighbours.end(), other) == neighbours.end())
    return refuse(net::Refusal::kNoNeighbour);
  const Key key = role == net::Role::kWaits ? Key(member, other) : Key(other, member);
  Edge& edge = edges_[key];
  switch (role) {
    case net::Role::kAsks:
      if (edge.waits == 0) return refuse(net::Refusal::kNobody);
      answer.kind = net::LetterKind::kThere;
      return answer;
    case net::Role::kWaits:
      replace(edge.waits, connection, answer);
      answer.partner = edge.dials;
      break;
    case net::Role::kDials:
      replace(edge.dials, connection, answer);
      answer.partner = edge.waits;
      break;
  }
  if (answer.partner == 0) {
    places_[connection] = key;
    return answer;
  }
  const Number waits = std::exchange(edge.waits, 0), dials = std::exchange(edge.dials, 0);
  join(edge, key, waits, dials, answer);
  return answer;
}

void Meetings::left(Number connection) {
  const auto place = places_.find(connection);
  if (place == places_.end()) return;
  Edge& edge = edges_[place->second];
  places_.erase(place);
  if (edge.waits == connection) edge.waits = 0;
  if (edge.dials == connection) edge.dials = 0;
  const auto pair = std::find_if(edge.met.begin(), edge.met.end(), [&](const auto& both) {
    return both.first == connection || both.second == connection;
  });
  if (pair == edge.met.end()) return;
  places_.erase(pair->first);
  places_.erase(pair->second);
  edge.met.erase(pair);
}

}  // namespace ppdnmf::relay
