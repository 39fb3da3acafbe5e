#include <ppdnmf/consortium/lost_member.h>

#include <fmt/format.h>

#include <algorithm>

#include <ppdnmf/consortium/internal/quoted.h>

namespace ppdnmf::consortium {
namespace {

using Edge = std::pair<std::string, std::string>;

bool joins(const Edge& edge, const std::string& a, const std::string& b) {
  return (edge.first == a && edge.second == b) || (edge.first == b && edge.second == a);
}

// In the members' order.
std::vector<Member> neighbours_of(const Consortium& c, const std::string& name) {
  std::vector<Member> out;
  for (const Member& member : c.members) {
    const auto& other = member.identity.name();
    if (other != name &&
        std::any_of(c.edges.begin(), c.edges.end(), [&](const Edge& e) { return joins(e, name, other); }))
      out.push_back(member);
  }
  return out;
}

void join_in_a_row(const std::vector<Member>& members, Consortium& c) {
  for (std::size_t i = 1; i < members.size(); ++i) {
    const Member& one = members[i - 1];
    const Member& other = members[i];
    const std::string& a = one.identity.name();
    const std::string& b = other.identity.name();
    const bool joined = std::any_of(c.edges.begin(), c.edges.end(), [&](const Edge& e) { return joins(e, a, b); });
    if (!joined && (one.address || other.address || c.relay)) c.edges.emplace_back(a, b);
  }
}

}  // namespace

Result<Consortium> without_member(Consortium consortium, const std::string& lost) {
  const auto named = [&](const Member& member) { return member.identity.name() == lost; };
  if (std::none_of(consortium.members.begin(), consortium.members.end(), named))
    return error(ErrorCode::kUsage, "the file has no member {}", internal::quoted(lost));
  const std::vector<Member> neighbours = neighbours_of(consortium, lost);
  std::erase_if(consortium.edges, [&](const Edge& edge) { return edge.first == lost || edge.second == lost; });
  join_in_a_row(neighbours, consortium);
  std::erase_if(consortium.members, named);
  std::erase(consortium.allow_degree_one, lost);
  std::erase(consortium.allow_few_columns, lost);
  consortium.start_from.reset();
  consortium.allow_difference_of.clear();
  return consortium;
}

std::vector<std::string> difference_notes(const Consortium& next, const std::string& lost) {
  const protocol::Settings& s = next.settings;
  if (s.epsilon) {
    return {
        fmt::format("both runs are private, and what they tell about a column adds up; the columns of {} are in the "
                    "first one alone. Everybody else pays again.",
                    lost)};
  }
  // Opened whole, and not depending on a start.
  if (protocol::scheme_of(s) == protocol::SchemeKind::kMoments) {
    return {
        fmt::format("if the first run opened its total, every member learns, as a difference of two runs, the second "
                    "moments of all columns of {}, exactly.",
                    lost)};
  }
  std::vector<std::string> notes;
  if (next.start_from) {
    notes.push_back(fmt::format(
        "every member can compute, going on from that run's X, the part that {} had in an earlier run's totals.",
        lost));
  }
  // Sums 0 to 2 open before there is an X.
  notes.push_back(
      fmt::format("{} every member learns, as a difference of two runs, how many columns {} had, the sum of their "
                  "entries and their norm: exact runs open these numbers first.",
                  next.start_from ? "besides," : "although the run starts anew,", lost));
  return notes;
}

}  // namespace ppdnmf::consortium
