// Whole sums in memory for tests: one TreeSum per agent, and every message that was sent.
#ifndef PPDNMF_PROTOCOL_TEST_SUMS_H_
#define PPDNMF_PROTOCOL_TEST_SUMS_H_

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <ppdnmf/protocol/sum_masks.h>
#include <ppdnmf/protocol/tree_sum.h>

namespace ppdnmf::protocol::testing_sums {

inline Words random_words(Stream& stream, std::size_t size) {
  Words words(size);
  stream.fill({reinterpret_cast<std::uint8_t*>(words.data()), size * sizeof(Word)});
  return words;
}

// Connected: a random tree and some more edges.
inline Graph random_graph(std::uint32_t agents, Stream& stream) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 1; i < agents; ++i) edges.emplace_back(i, static_cast<std::uint32_t>(stream.below(i)));
  for (std::uint32_t n = 0; n < agents / 2; ++n) {
    const auto a = static_cast<std::uint32_t>(stream.below(agents));
    const auto b = static_cast<std::uint32_t>(stream.below(agents));
    if (a != b) edges.emplace_back(a, b);
  }
  return *Graph::create(agents, edges);
}

struct Sent {
  AgentId from, to;
  Body body;
  friend bool operator==(const Sent&, const Sent&) = default;
};

// What came of one sum.
struct SumRun {
  std::vector<Sent> sent;                                 // in order
  std::vector<std::optional<TreeSum::Outcome>> outcomes;  // of each agent
  std::optional<Error> failure;
};

// One sum over the graph: words[i] and chains[i] of agent i.
inline SumRun run_sum(const Graph& graph, const std::vector<Words>& words, const std::vector<Digest>& chains) {
  const std::vector<TreePlace> places = spanning_tree(graph);
  std::vector<TreeSum> machines;
  std::vector<Outbox> out(graph.agents(), Outbox(RunId{}));
  SumRun run;
  run.outcomes.resize(graph.agents());
  std::deque<Sent> queue;
  const auto advance = [&](std::uint32_t i) {
    auto outcome = machines[i].advance(out[i]);
    if (!outcome) {
      run.failure = outcome.error();
    } else if (*outcome) {
      run.outcomes[i] = **outcome;
    }
    for (const Send& send : out[i].take().sends) {
      queue.push_back({AgentId{i}, send.to, send.message.body});
      run.sent.push_back(queue.back());
    }
  };
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    machines.emplace_back(places[i], words[i].size());
    machines[i].begin(words[i], chains[i], false);
  }
  for (std::uint32_t i = 0; i < graph.agents(); ++i) advance(i);
  while (!queue.empty() && !run.failure) {
    const Sent next = std::move(queue.front());
    queue.pop_front();
    const std::uint32_t to = next.to.value;
    if (const auto* partial = std::get_if<Partial>(&next.body)) machines[to].take(next.from, *partial, out[to]);
    if (const auto* total = std::get_if<Total>(&next.body)) machines[to].take(next.from, *total);
    advance(to);
  }
  return run;
}

// Identities, nonces and masks of agents who all agreed on one run.
class Members {
 public:
  explicit Members(std::uint32_t agents, std::uint64_t seed = 1) {
    auto identities = std::make_shared<std::vector<crypto::IdentityBytes>>();
    std::vector<crypto::IdentityKey> keys;
    for (std::uint32_t i = 0; i < agents; ++i) {
      Stream stream(Seed::from_number(seed), 'M', i);
      keys.push_back(crypto::IdentityKey::generate(stream));
      identities->push_back(keys.back().public_bytes());
      secrets.push_back({std::move(keys.back()), crypto::IdentityKey::generate(stream), identities, nullptr});
      nonces.push_back(secrets.back().ephemeral.public_bytes());
    }
  }
  [[nodiscard]] SumMasks masks(std::uint32_t agent) const {
    auto masks = SumMasks::agree(AgentId{agent}, secrets[agent], nonces, Digest{});
    EXPECT_TRUE(masks);
    return *std::move(masks);
  }

  std::vector<SumSecrets> secrets;
  std::vector<crypto::IdentityBytes> nonces;
};

}  // namespace ppdnmf::protocol::testing_sums

#endif  // PPDNMF_PROTOCOL_TEST_SUMS_H_
