#include <ppdnmf/protocol/neighbours/isolation.h>

#include <algorithm>
#include <map>
#include <utility>

#include <ppdnmf/base/int128.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/sum_masks.h>

namespace ppdnmf::protocol::neighbours {
namespace {

using Field = std::uint64_t;  // modulo kPrime
constexpr Field kPrime = (Field{1} << 61U) - 1;

Field times(Field a, Field b) {
  const auto product = static_cast<UInt128>(a) * b;
  const Field sum = static_cast<Field>(product & kPrime) + static_cast<Field>(product >> 61U);
  return sum >= kPrime ? sum - kPrime : sum;
}

Field inverse(Field a) {
  Field result = 1;
  for (Field exponent = kPrime - 2; exponent > 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result = times(result, a);
    a = times(a, a);
  }
  return result;
}

// The rows of a set of colluders and what is in their span. Holds work space; one set after the other.
class Span {
 public:
  Span(const Graph& graph, const EdgeFactors& factors)
      : graph_(graph), factors_(factors), column_(graph.agents(), kNone), colludes_(graph.agents(), false) {}

  // The agents whose unit vector the rows span. Valid until the next call.
  const std::vector<std::uint32_t>& isolated_by(const std::vector<std::uint32_t>& colluders) {
    take(colluders);
    reduce(colluders.size());
    return isolated_;
  }
  [[nodiscard]] std::uint64_t effort() const { return effort_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  void take(const std::vector<std::uint32_t>& colluders) {
    for (const std::uint32_t i : colluders) colludes_[i] = true;
    for (const std::uint32_t j : honest_) column_[j] = kNone;
    honest_.clear();
    for (const std::uint32_t i : colluders) {
      for (const AgentId j : graph_.neighbours(AgentId{i})) {
        if (colludes_[j.value] || column_[j.value] != kNone) continue;
        column_[j.value] = static_cast<std::uint32_t>(honest_.size());
        honest_.push_back(j.value);
      }
    }
    rows_.assign(colluders.size() * honest_.size(), 0);
    for (std::size_t row = 0; row < colluders.size(); ++row) {
      const auto& neighbours = graph_.neighbours(AgentId{colluders[row]});
      for (std::size_t k = 0; k < neighbours.size(); ++k) {
        const std::uint32_t column = column_[neighbours[k].value];
        if (column != kNone) rows_[row * honest_.size() + column] = factors_[colluders[row]][k];
      }
    }
    for (const std::uint32_t i : colluders) colludes_[i] = false;
  }

  // To reduced echelon form. A unit vector in the span is then a row of it.
  void reduce(std::size_t rows) {
    const std::size_t columns = honest_.size();
    isolated_.clear();
    std::size_t rank = 0;
    for (std::size_t column = 0; column < columns && rank < rows; ++column) {
      std::size_t pivot = rank;
      while (pivot < rows && rows_[pivot * columns + column] == 0) ++pivot;
      if (pivot == rows) continue;
      std::swap_ranges(row(pivot), row(pivot) + columns, row(rank));
      const Field scale = inverse(row(rank)[column]);
      for (std::size_t k = column; k < columns; ++k) row(rank)[k] = times(row(rank)[k], scale);
      for (std::size_t other = 0; other < rows; ++other) {
        if (other != rank && row(other)[column] != 0) subtract(other, rank, column);
      }
      ++rank;
    }
    for (std::size_t r = 0; r < rank; ++r) {
      const auto nonzero = std::count_if(row(r), row(r) + columns, [](Field f) { return f != 0; });
      if (nonzero != 1) continue;
      const auto at = std::find_if(row(r), row(r) + columns, [](Field f) { return f != 0; }) - row(r);
      isolated_.push_back(honest_[static_cast<std::size_t>(at)]);
    }
    effort_ += 64 + rows * (columns + 1);
  }

  void subtract(std::size_t from, std::size_t what, std::size_t column) {
    const std::size_t columns = honest_.size();
    const Field factor = kPrime - row(from)[column];
    for (std::size_t k = column; k < columns; ++k) {
      const Field sum = row(from)[k] + times(factor, row(what)[k]);
      row(from)[k] = sum >= kPrime ? sum - kPrime : sum;
    }
    effort_ += columns - column;
  }

  [[nodiscard]] Field* row(std::size_t r) { return rows_.data() + r * honest_.size(); }

  const Graph& graph_;
  const EdgeFactors& factors_;
  std::vector<std::uint32_t> column_, honest_, isolated_;
  std::vector<bool> colludes_;
  std::vector<Field> rows_;
  std::uint64_t effort_ = 0;
};

// Agents within two edges. A smallest set of colluders hangs together by these: who shares no unknown with another
// colluder and is no unknown of one helps nobody.
std::vector<std::vector<std::uint32_t>> within_two(const Graph& graph) {
  std::vector<std::vector<std::uint32_t>> near(graph.agents());
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    for (const AgentId j : graph.neighbours(AgentId{i})) {
      near[i].push_back(j.value);
      for (const AgentId k : graph.neighbours(j)) {
        if (k.value != i) near[i].push_back(k.value);
      }
    }
    std::sort(near[i].begin(), near[i].end());
    near[i].erase(std::unique(near[i].begin(), near[i].end()), near[i].end());
  }
  return near;
}

// All sets of one size that hang together and have one of the given roots, each once (enumeration of connected
// subgraphs after Wernicke, 2006).
class ConnectedSets {
 public:
  explicit ConnectedSets(const std::vector<std::vector<std::uint32_t>>& near) : near_(near), seen_(near.size(), 0) {}

  // `visit` returns false to end early; so does this.
  template <typename Visit>
  bool for_each(std::size_t size, const std::vector<std::uint32_t>& roots, Visit&& visit) {
    done_.assign(near_.size(), false);
    for (const std::uint32_t root : roots) {
      std::vector<std::uint32_t> reach;
      mark(root, 1);
      for (const std::uint32_t next : near_[root]) {
        if (!done_[next]) reach.push_back(next);
      }
      set_ = {root};
      const bool go_on = extend(size, reach, visit);
      mark(root, -1);
      if (!go_on) return false;
      done_[root] = true;
    }
    return true;
  }

 private:
  // How many members of the set have it in reach, or are it.
  void mark(std::uint32_t member, int by) {
    seen_[member] += by;
    for (const std::uint32_t next : near_[member]) seen_[next] += by;
  }

  template <typename Visit>
  bool extend(std::size_t size, std::vector<std::uint32_t> reach, Visit&& visit) {
    if (set_.size() == size) return visit(set_);
    while (!reach.empty()) {
      const std::uint32_t member = reach.back();
      reach.pop_back();
      std::vector<std::uint32_t> farther = reach;
      for (const std::uint32_t next : near_[member]) {
        if (!done_[next] && seen_[next] == 0) farther.push_back(next);
      }
      set_.push_back(member);
      mark(member, 1);
      const bool go_on = extend(size, std::move(farther), visit);
      mark(member, -1);
      set_.pop_back();
      if (!go_on) return false;
    }
    return true;
  }

  const std::vector<std::vector<std::uint32_t>>& near_;
  std::vector<int> seen_;
  std::vector<bool> done_;  // roots whose sets have all been visited
  std::vector<std::uint32_t> set_;
};

// Sizes of colluding sets, the curious agent included: none below `least` can isolate the agent, one of `most` can.
struct Range {
  std::size_t least = 1;
  std::size_t most = 0;
};

// Two agents that enter everybody else's sums in one proportion cannot be told apart from outside: to see one of them,
// the other must collude, and somebody next to it.
void count_twins(const Graph& graph, const EdgeFactors& factors, std::vector<Range>& ranges) {
  using Key = std::pair<std::vector<std::uint32_t>, std::vector<Field>>;
  std::map<Key, std::vector<std::uint32_t>> apart, adjacent;
  for (std::uint32_t j = 0; j < graph.agents(); ++j) {
    Key key;
    for (const AgentId i : graph.neighbours(AgentId{j})) key.first.push_back(i.value);
    const Field scale = inverse(factors[j].front());
    for (const std::uint32_t factor : factors[j]) key.second.push_back(times(factor, scale));
    apart[key].push_back(j);
    if (std::any_of(key.second.begin(), key.second.end(), [](Field f) { return f != 1; })) continue;
    key.first.insert(std::lower_bound(key.first.begin(), key.first.end(), j), j);
    adjacent[key].push_back(j);
  }
  for (const auto* groups : {&apart, &adjacent}) {
    for (const auto& [key, group] : *groups) {
      const std::size_t others = group.size() - 1 + (groups == &apart ? 1 : 0);
      for (const std::uint32_t j : group) ranges[j].least = std::max(ranges[j].least, others);
    }
  }
}

std::vector<Range> first_ranges(const Graph& graph, const EdgeFactors& factors) {
  std::vector<Range> ranges(graph.agents());
  for (std::uint32_t j = 0; j < graph.agents(); ++j) {
    // Any neighbour with all its other neighbours.
    ranges[j].most = graph.agents();
    for (const AgentId i : graph.neighbours(AgentId{j})) {
      ranges[j].most = std::min(ranges[j].most, graph.neighbours(i).size());
    }
  }
  count_twins(graph, factors, ranges);
  return ranges;
}

// Whether sets of `size` have to be tried for this agent.
bool asks_for(const Range& range, std::size_t size) { return range.least < range.most && range.least <= size; }

// The neighbours of agents for which such sets have to be tried: one of them is in every set that isolates one.
std::vector<std::uint32_t> listeners(const Graph& graph, std::size_t size, const std::vector<Range>& ranges) {
  std::vector<bool> listens(graph.agents(), false);
  for (std::uint32_t j = 0; j < graph.agents(); ++j) {
    if (!asks_for(ranges[j], size)) continue;
    for (const AgentId i : graph.neighbours(AgentId{j})) listens[i.value] = true;
  }
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    if (listens[i]) list.push_back(i);
  }
  return list;
}

// Tries all sets of `size` that matter and narrows the ranges. False if the effort was spent before all were tried.
bool try_sets(std::size_t size, ConnectedSets& sets, const std::vector<std::uint32_t>& roots, Span& span,
              std::uint64_t effort, std::vector<Range>& ranges) {
  return sets.for_each(size, roots, [&](const std::vector<std::uint32_t>& set) {
    for (const std::uint32_t j : span.isolated_by(set)) ranges[j].most = std::min(ranges[j].most, size);
    return span.effort() < effort;
  });
}

}  // namespace

std::vector<AgentId> isolated_by(const std::vector<AgentId>& colluders, const Graph& graph,
                                 const EdgeFactors& factors) {
  std::vector<std::uint32_t> set;
  set.reserve(colluders.size());
  for (const AgentId i : colluders) set.push_back(i.value);
  Span span(graph, factors);
  std::vector<AgentId> isolated;
  for (const std::uint32_t j : span.isolated_by(set)) isolated.push_back(AgentId{j});
  std::sort(isolated.begin(), isolated.end());
  return isolated;
}

std::vector<Isolation> hardened_isolation(const Graph& graph, const EdgeFactors& factors, std::uint64_t effort) {
  if (graph.agents() < 2) return {};
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    PPDNMF_CHECK(factors.at(i).size() == graph.neighbours(AgentId{i}).size() &&
                 std::all_of(factors[i].begin(), factors[i].end(), [](std::uint32_t f) { return f > 0; }));
  }
  std::vector<Range> ranges = first_ranges(graph, factors);
  const auto near = within_two(graph);
  ConnectedSets sets(near);
  Span span(graph, factors);
  for (std::size_t size = 1;; ++size) {
    const auto open = [&](const Range& range) { return range.least < range.most; };
    if (std::none_of(ranges.begin(), ranges.end(), open)) break;
    const auto asked = [&](const Range& range) { return asks_for(range, size); };
    if (std::none_of(ranges.begin(), ranges.end(), asked)) continue;
    const bool tried_all = try_sets(size, sets, listeners(graph, size, ranges), span, effort, ranges);
    for (Range& range : ranges) {
      if (tried_all && range.most > size) range.least = std::max(range.least, size + 1);
    }
    if (!tried_all) break;
  }
  std::vector<Isolation> out;
  out.reserve(ranges.size());
  for (const Range& range : ranges) {
    out.push_back({static_cast<std::uint32_t>(std::min(range.least, range.most)) - 1, range.least >= range.most});
  }
  return out;
}

std::vector<Isolation> isolation(const Graph& graph, SchemeKind scheme) {
  const std::uint32_t agents = graph.agents();
  if (agents < 2) return {};
  switch (scheme) {
    case SchemeKind::kAsPrinted:
      return std::vector<Isolation>(agents);
    case SchemeKind::kSum:
    case SchemeKind::kMoments:
      // A sum's words are uniform to whoever lacks one of the agent's mask partners.
      return std::vector<Isolation>(agents, {std::min(agents, kMaxPaired) - 2, true});
    case SchemeKind::kHardened:
      break;
  }
  return hardened_isolation(graph, edge_factors(graph, choose_factors(graph)));
}

}  // namespace ppdnmf::protocol::neighbours
