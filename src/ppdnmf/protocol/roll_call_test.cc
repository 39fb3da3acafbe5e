#include <ppdnmf/protocol/roll_call.h>

#include <gtest/gtest.h>

#include <deque>

#include <ppdnmf/protocol/seeded_secrets.h>
#include <ppdnmf/protocol/test_sums.h>

namespace ppdnmf::protocol {
namespace {

constexpr Digest kAgreed = {7};

struct Called {
  std::vector<std::optional<std::vector<crypto::IdentityBytes>>> lists;
  std::optional<Error> failure;
};

crypto::IdentityBytes nonce_of(std::uint32_t agent) {
  return ephemeral_key(simulated_secret(5, AgentId{agent})).public_bytes();
}

// The roll call over a graph; `change` may change what agents send, and every message arrives twice.
template <typename Change>
Called call(const Graph& graph, const Change& change) {
  const std::vector<TreePlace> places = spanning_tree(graph);
  Called called;
  called.lists.resize(graph.agents());
  std::vector<RollCall> calls;
  std::vector<Outbox> out(graph.agents(), Outbox(run_id(kAgreed)));
  std::deque<std::pair<AgentId, Send>> queue;
  const auto advance = [&](std::uint32_t i) {
    auto list = calls[i].advance(out[i]);
    if (!list) {
      called.failure = list.error();
    } else if (*list) {
      EXPECT_FALSE(called.lists[i]) << "the list is given once";
      called.lists[i] = **list;
    }
    for (Send& send : out[i].take().sends) {
      EXPECT_EQ(send.message.run, run_id(kAgreed));
      change(AgentId{i}, send.message.body);
      queue.emplace_back(AgentId{i}, send);
      if (!send.again) queue.emplace_back(AgentId{i}, send);
    }
  };
  for (std::uint32_t i = 0; i < graph.agents(); ++i) {
    calls.emplace_back(AgentId{i}, graph.agents(), places[i], nonce_of(i), kAgreed);
    calls[i].begin(out[i]);
  }
  for (std::uint32_t i = 0; i < graph.agents(); ++i) advance(i);
  while (!queue.empty() && !called.failure) {
    const auto [from, send] = queue.front();
    queue.pop_front();
    calls[send.to.value].take(from, send.message.body, out[send.to.value]);
    advance(send.to.value);
  }
  return called;
}

TEST(RollCall, EverybodyLearnsEverybodysNonceOnAnyGraph) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Stream stream(Seed::from_number(seed), 'G');
    const Graph graph = testing_sums::random_graph(3 + static_cast<std::uint32_t>(stream.below(12)), stream);
    const Called called = call(graph, [](AgentId, Body&) {});
    ASSERT_FALSE(called.failure);
    for (const auto& list : called.lists) {
      ASSERT_TRUE(list);
      for (std::uint32_t i = 0; i < graph.agents(); ++i) EXPECT_EQ((*list)[i], nonce_of(i));
    }
  }
}

TEST(RollCall, AnOwnNonceThatComesBackChangedEndsTheRun) {
  const Graph graph = *Graph::create(3, {{0, 1}, {1, 2}});
  const Called called = call(graph, [](AgentId from, Body& body) {
    if (auto* total = std::get_if<Total>(&body); total != nullptr && from == AgentId{1}) total->payload[70] ^= 1;
  });
  ASSERT_TRUE(called.failure);
  EXPECT_EQ(called.failure->code, ErrorCode::kPeer);
  EXPECT_EQ(
      called.failure->message,
      "this agent's own nonce came back changed: either it took part in this roll call before, in another folder, or "
      "an agent on the way passes on a wrong list");
}

TEST(RollCall, ComesBackFromItsSavedStateAndServesLateChildren) {
  const Graph graph = *Graph::create(2, {{0, 1}});
  const std::vector<TreePlace> places = spanning_tree(graph);
  const std::uint32_t root = places[0].parent ? 1 : 0;
  const std::uint32_t leaf = 1 - root;
  RollCall parent(AgentId{root}, 2, places[root], nonce_of(root), kAgreed);
  RollCall child(AgentId{leaf}, 2, places[leaf], nonce_of(leaf), kAgreed);
  Outbox out(run_id(kAgreed));
  parent.begin(out);
  child.begin(out);
  ASSERT_TRUE(child.advance(out));
  Body partial;
  for (const Send& send : out.take().sends) partial = send.message.body;
  parent.take(AgentId{leaf}, partial, out);
  const auto list = parent.advance(out);
  ASSERT_TRUE(list && *list);
  (void)out.take();

  ByteWriter saved;
  parent.save(saved);
  const Bytes bytes = saved.take();
  RollCall restarted(AgentId{root}, 2, places[root], nonce_of(root), kAgreed);
  ByteReader in(bytes);
  ASSERT_TRUE(restarted.load(in));
  ASSERT_TRUE(in.status());
  restarted.take(AgentId{leaf}, partial, out);
  EXPECT_FALSE(out.saves());
  const Step answer = out.take();
  ASSERT_EQ(answer.sends.size(), 1U);
  EXPECT_TRUE(answer.complaints.empty());
  child.take(AgentId{root}, answer.sends[0].message.body, out);
  const auto late = child.advance(out);
  ASSERT_TRUE(late && *late);
  EXPECT_EQ(**late, **list);
}

TEST(RunDigest, HangsOnEverythingThatWasAgreedAndOnEveryNonce) {
  const std::vector<crypto::IdentityBytes> members = {crypto::IdentityBytes{1}, crypto::IdentityBytes{2}};
  const std::vector<crypto::IdentityBytes> nonces = {crypto::IdentityBytes{3}, crypto::IdentityBytes{4}};
  const Digest digest = run_digest(kAgreed, members, nonces);
  EXPECT_NE(digest, run_digest(Digest{8}, members, nonces));
  EXPECT_NE(digest, run_digest(kAgreed, nonces, members));
  EXPECT_NE(digest, run_digest(kAgreed, members, std::vector<crypto::IdentityBytes>{nonces[1], nonces[0]}));
}

TEST(BindSecret, AnotherRunOrAgentHasOtherStreams) {
  const Seed secret = Seed::from_number(1);
  const auto first = [](const Seed& seed) { return Stream(seed, 1).next(); };
  const std::uint64_t value = first(bind_secret(secret, Digest{1}, AgentId{0}));
  EXPECT_EQ(value, first(bind_secret(secret, Digest{1}, AgentId{0})));
  EXPECT_NE(value, first(bind_secret(secret, Digest{2}, AgentId{0})));
  EXPECT_NE(value, first(bind_secret(secret, Digest{1}, AgentId{1})));
  EXPECT_NE(value, first(bind_secret(Seed::from_number(2), Digest{1}, AgentId{0})));
}

}  // namespace
}  // namespace ppdnmf::protocol
