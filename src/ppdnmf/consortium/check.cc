#include <ppdnmf/consortium/check.h>

#include <algorithm>
#include <map>
#include <set>

#include <ppdnmf/consortium/internal/problems.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/protocol/column_minimum.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::consortium {
namespace {

using internal::EdgeList;
using internal::Problems;

using Places = std::map<std::string, std::uint32_t>;

Places places_of(const Consortium& consortium) {
  Places places;
  std::uint32_t place = 0;
  for (const Member& member : consortium.members) places.emplace(member.identity.name(), place++);
  return places;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_edges(const Consortium& c, const Places& places, Problems& problems) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& [a, b] : c.edges) {
    for (const std::string& name : {a, b}) {
      if (!places.contains(name)) {
        problems.refuse(
            "the edge {} - {} names {}, who is not a member: correct the edge, or add `member={}.pub@HOST:PORT`", a, b,
            name, name);
      }
    }
    if (a == b) {
      problems.refuse("{} has an edge to itself: remove it", a);
    } else if (!seen.insert(std::minmax(a, b)).second) {
      problems.refuse("the edge {} - {} is written twice: remove one", a, b);
    }
  }
}

void check_listening(const Consortium& c, const EdgeList& edges, Problems& problems) {
  for (const auto& [a, b] : edges) {
    if (c.members[a].address || c.members[b].address || c.relay) continue;
    const std::string& first = c.members[a].identity.name();
    const std::string& second = c.members[b].identity.name();
    problems.refuse(
        "neither {} nor {} listens, so that there can be no edge between them: give one of them an address, as "
        "`member={}.pub@HOST:PORT`, give all of them a relay, as `relay=FILE.pub@HOST:PORT`, or remove the edge",
        first, second, first);
  }
}

void check_connected(const Consortium& c, const EdgeList& edges, Problems& problems) {
  std::vector<bool> reached(c.members.size(), false);
  std::vector<std::uint32_t> waiting = {0};
  reached[0] = true;
  std::vector<std::vector<std::uint32_t>> neighbours(c.members.size());
  for (const auto& [a, b] : edges) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  while (!waiting.empty()) {
    const std::uint32_t agent = waiting.back();
    waiting.pop_back();
    for (const std::uint32_t next : neighbours[agent]) {
      if (!reached[next]) waiting.push_back(next);
      reached[next] = true;
    }
  }
  const auto lost = std::find(reached.begin(), reached.end(), false);
  if (lost == reached.end()) return;
  const std::string& first = c.members.front().identity.name();
  const std::string& other = c.members[static_cast<std::size_t>(lost - reached.begin())].identity.name();
  problems.refuse(
      "{} of the {} members cannot be reached from {}, {} for one: add an edge between the parts, as [\"{}\", "
      "\"{}\"], or choose `topology=random:3`",
      std::count(reached.begin(), reached.end(), false), c.members.size(), first, other, first, other);
}

// With masked sums the graph only carries messages; in the hardened scheme an agent sees the sum over its neighbours.
void check_degrees(const Consortium& c, const EdgeList& edges, Problems& problems) {
  if (protocol::sums_only(protocol::scheme_of(c.settings))) return;
  std::vector<std::vector<std::uint32_t>> neighbours(c.members.size());
  for (const auto& [a, b] : edges) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const std::string& name = c.members[i].identity.name();
    const bool allowed = contains(c.allow_degree_one, name);
    if (neighbours[i].size() == 1 && !allowed) {
      problems.refuse(
          "{} has one neighbour only, {}, and would see its messages alone: add an edge from {} to somebody "
          "else, or, if {} agrees, give `allow_degree_one={}`",
          name, c.members[neighbours[i][0]].identity.name(), name, c.members[neighbours[i][0]].identity.name(), name);
    } else if (neighbours[i].size() > 1 && allowed) {
      problems.warn("allow_degree_one names {}, who has {} neighbours: take it out", name, neighbours[i].size());
    }
  }
}

void check_allowed_names(const Consortium& c, const Places& places, Problems& problems) {
  for (const auto& [key, names] :
       {std::pair("allow_degree_one", &c.allow_degree_one), std::pair("allow_few_columns", &c.allow_few_columns)}) {
    for (const std::string& name : *names) {
      if (!places.contains(name))
        problems.refuse("{} names {}, who is not a member: correct the name or remove it", key, name);
    }
  }
}

void check_start(const Consortium& c, const Places& places, Problems& problems) {
  const protocol::Settings& s = c.settings;
  if (c.start_from && protocol::scheme_of(s) != protocol::SchemeKind::kSum) {
    problems.refuse("going on from an X needs `scheme=sum`: choose it, or leave out `start_from`");
  }
  if (c.start_from && s.epsilon) {
    problems.refuse(
        "a private run cannot continue from an X: what that X tells of the data is not in its account: leave out "
        "`start_from`");
  }
  if (c.start_from && c.allow_difference_of.empty()) {
    problems.refuse(
        "going on from an earlier run's X lets every member compute a lost member's part of the totals as a "
        "difference: give `allow_difference_of=NAME` if that member agrees, or leave out `start_from`");
  }
  if (c.known && (protocol::scheme_of(s) != protocol::SchemeKind::kSum || s.epsilon))
    problems.refuse("known components need `scheme=sum` without `epsilon`: choose it, or leave out `known`");
  for (const std::string& name : c.allow_difference_of) {
    if (places.contains(name)) {
      problems.refuse("allow_difference_of names {}, who is a member of this run: it is for members that were lost",
                      name);
    } else if (!c.start_from) {
      problems.warn("allow_difference_of names {}, but the run starts anew: take it out", name);
    }
  }
}

// Columns that are few enough to be found out are allowed by name and not by lowering the number for everybody.
void check_min_columns(const Consortium& c, Problems& problems) {
  const protocol::Settings& s = c.settings;
  const Index least = protocol::column_minimum(protocol::scheme_of(s), c.rows, s.rank).of_each == 0
                          ? 0
                          : protocol::kFewestColumnsPerAgent;
  if (c.throw_away_seed || s.min_columns >= least) return;
  problems.refuse(
      "min_columns is {}, and fewer than {} columns of a member can be found out from what is exchanged: give "
      "`min_columns={}` or more, and `allow_few_columns=NAME` for a member that may have fewer",
      s.min_columns, least, least);
}

// What is for study and would be dangerous between organisations.
void check_private(const Consortium& c, Problems& problems) {
  const protocol::Settings& s = c.settings;
  if (s.cipher == protocol::CipherKind::kNone)
    problems.refuse("a real run is always encrypted: choose `cipher=paillier` instead of `cipher=none`");
  if (!s.epsilon && !s.trust_members) {
    problems.refuse(
        "the file opens exact totals, from which a member that deviates can read columns of the others, and does not "
        "say that its members trust each other: make it again with 'ppdnmf consortium new', which makes a private one");
  }
  if (c.throw_away_seed) {
    for (const Member& member : c.members) {
      if (member.address ? is_loopback(*member.address) : c.relay.has_value()) continue;
      problems.refuse(
          "with [throw_away] every secret follows from a seed that stands in the file, and {} {}: take out "
          "[throw_away], or keep to addresses as 127.0.0.1:7443",
          member.identity.name(),
          member.address ? fmt::format("listens at {}", text_of(*member.address)) : "has no address");
    }
    if (c.relay && !is_loopback(c.relay->address)) {
      problems.refuse(
          "with [throw_away] every secret follows from a seed that stands in the file, and the relay is at {}: take "
          "out "
          "[throw_away], or keep to addresses as 127.0.0.1:7443",
          text_of(c.relay->address));
    }
    return;
  }
  if (protocol::scheme_of(s) == protocol::SchemeKind::kAsPrinted) {
    problems.refuse(
        "the scheme as printed is not private and only for study with 'ppdnmf launch': choose `scheme=hardened` or "
        "`scheme=sum`");
  }
  if (s.updates == nmf::Updates::kAsPrinted) {
    problems.refuse("the updates as printed are only for study with 'ppdnmf launch': choose `updates=corrected`");
  }
  if (s.start != nmf::Start::kRandom) {
    problems.refuse(
        "a start from ones is the same public point in every run, so that two runs can be subtracted: choose "
        "`start=random`");
  }
}

void check_row_names(const Consortium& c, Problems& problems) {
  if (c.row_names.empty()) return;
  if (static_cast<std::int64_t>(c.row_names.size()) != c.rows) {
    problems.refuse("there are {} row names for {} rows: make the file again with `row_names=FILE`", c.row_names.size(),
                    c.rows);
  }
  std::set<std::string_view> seen;
  for (const std::string& name : c.row_names) {
    if (name.empty()) {
      problems.refuse("a row has an empty name: give each row its own in the file of `row_names`");
    } else if (name.size() > kMaxRowNameBytes) {
      problems.refuse("the row name {} is longer than {} bytes: shorten it", io::in_quotes(name), kMaxRowNameBytes);
    } else if (!seen.insert(name).second) {
      problems.refuse("two rows are called {}: rows need different names", io::in_quotes(name));
    } else {
      continue;
    }
    return;  // one sentence for a thousand rows is enough
  }
}

void check_settings(const Consortium& c, const std::optional<protocol::Graph>& graph, Problems& problems) {
  const protocol::Settings& s = c.settings;
  if (s.rank > c.rows)
    problems.refuse("rank {} is above the {} rows: choose `rank={}` or less", s.rank, c.rows, c.rows);
  check_row_names(c, problems);
  if (const auto keys = protocol::key_options(s)) {
    if (const Status status = crypto::check(*keys); !status) problems.refuse("{}", status.error().message);
  }
  if (!graph) return;
  if (const auto run = protocol::make_run_settings(s, c.rows, *graph); !run) problems.refuse("{}", run.error().message);
}

std::optional<protocol::Graph> graph_of(const Consortium& c, const EdgeList& edges) {
  auto graph = protocol::Graph::create(static_cast<std::uint32_t>(c.members.size()), edges);
  return graph ? std::optional(*std::move(graph)) : std::nullopt;
}

}  // namespace

internal::EdgeList internal::known_edges(const Consortium& consortium) {
  const Places places = places_of(consortium);
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& [a, b] : consortium.edges) {
    const auto first = places.find(a);
    const auto second = places.find(b);
    if (first == places.end() || second == places.end() || a == b) continue;
    edges.insert(std::minmax(first->second, second->second));
  }
  return {edges.begin(), edges.end()};
}

std::vector<Problem> check(const Consortium& consortium, std::chrono::sys_seconds now) {
  Problems problems;
  internal::check_members(consortium, now, problems);
  const Places places = places_of(consortium);
  const EdgeList edges = internal::known_edges(consortium);
  check_edges(consortium, places, problems);
  // Two members of one name are complained about; which of them an edge means cannot be said.
  if (!consortium.members.empty() && places.size() == consortium.members.size()) {
    check_listening(consortium, edges, problems);
    check_connected(consortium, edges, problems);
    check_degrees(consortium, edges, problems);
  }
  check_allowed_names(consortium, places, problems);
  check_start(consortium, places, problems);
  check_private(consortium, problems);
  check_min_columns(consortium, problems);
  check_settings(consortium, graph_of(consortium, edges), problems);
  std::vector<Problem> list = problems.take();
  std::stable_sort(list.begin(), list.end(),
                   [](const Problem& a, const Problem& b) { return a.severity < b.severity; });
  return list;
}

}  // namespace ppdnmf::consortium
