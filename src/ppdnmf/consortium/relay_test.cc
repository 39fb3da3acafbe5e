// A relay in the consortium file, and who is joined to whom without one.
#include <ppdnmf/consortium/reachable.h>
#include <ppdnmf/consortium/test_consortium.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ppdnmf::consortium {
namespace {

using namespace testing;

RelayEntry relay_at(const std::string& address) {
  return {identity::test_identity("relay").public_identity(), identity::parse_address(address).value()};
}

Consortium relayed() {
  Consortium c = test_consortium();
  for (Member& member : c.members) member.address = std::nullopt;
  c.relay = relay_at("relay.example:7443");
  return c;
}

std::string refusal(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  PPDNMF_CHECK(at != std::string::npos);
  text.replace(at, from.size(), to);
  const auto parsed = parse_consortium(text);
  return parsed ? "accepted" : parsed.error().message;
}

TEST(Relay, IsReadAsItWasWritten) {
  const Consortium consortium = relayed();
  const std::string text = write_consortium(consortium);
  const auto parsed = parse_consortium(text);
  ASSERT_TRUE(parsed) << parsed.error().message << text;
  ASSERT_TRUE(parsed->relay);
  EXPECT_EQ(parsed->relay->address, consortium.relay->address);
  EXPECT_TRUE(parsed->relay->identity == consortium.relay->identity);
  EXPECT_EQ(write_consortium(*parsed), text);
}

TEST(Relay, WhatIsWrongWithItIsASentence) {
  const std::string text = write_consortium(relayed());
  EXPECT_THAT(refusal(text, "relay.example:7443", "relay.example"), HasSubstr("the relay: "));
  EXPECT_THAT(refusal(text, "relay = \"relay.example:7443\"\n", ""), HasSubstr("lacks the entry 'relay'"));
  EXPECT_THAT(refusal(text, "relay_identity", "relay_identy"), HasSubstr("lacks the entry 'relay_identity'"));
  EXPECT_THAT(refusal(text, "relay_identity = \"\"\"\n", "relay_identity = \"\"\"\nAAAA"), HasSubstr("the relay: "));
}

TEST(Relay, ItsIdentityIsAgreedOnAndItsAddressIsNot) {
  Consortium moved = relayed(), other = relayed(), none = relayed();
  moved.relay = {relayed().relay->identity, identity::parse_address("elsewhere:1").value()};
  const Consortium first = moved;
  moved.relay->address = identity::parse_address("elsewhere:2").value();
  EXPECT_EQ(digest_of(moved), digest_of(first));
  other.relay->identity = identity::test_identity("relay").public_identity();
  EXPECT_NE(digest_of(other), digest_of(first));
  none.relay.reset();
  EXPECT_NE(digest_of(none), digest_of(first));
}

TEST(Relay, JoinsMembersThatDoNotListen) {
  Consortium c = relayed();
  EXPECT_THAT(sentences(c), IsEmpty());
  c.relay.reset();
  EXPECT_THAT(sentences(c), Contains(HasSubstr("give all of them a relay")));
}

TEST(Relay, IsNoMember) {
  Consortium c = relayed();
  c.relay->identity = c.members[1].identity;
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! the relay has the key or the name of b")));
  c = relayed();
  c.members[2].address = c.relay->address;
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! the relay and c have the same address")));
}

TEST(Relay, OfAThrowAwayRunIsOnThisMachine) {
  Consortium c = relayed();
  c.throw_away_seed = 1;
  EXPECT_THAT(sentences(c), ElementsAre(HasSubstr("the relay is at relay.example:7443: take out [throw_away]")));
  c.relay->address.host = "127.0.0.1";
  EXPECT_THAT(sentences(c), IsEmpty());
}

// --- who can be joined ----------------------------------------------------------------------------------------------

protocol::Graph ring(std::uint32_t agents) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < agents; ++i) edges.emplace_back(i, (i + 1) % agents);
  return protocol::Graph::create(agents, edges).value();
}

TEST(ReachableGraph, IsTheWishedOneIfItCanBe) {
  const auto wished = ring(5);
  EXPECT_EQ(reachable_graph(wished, {true, true, true, true, true})->edges(), wished.edges());
  EXPECT_EQ(reachable_graph(wished, {true, false, true, true, false}).value().edges(), wished.edges());
}

TEST(ReachableGraph, JoinsNoTwoThatDoNotListen) {
  for (std::uint32_t members = 2; members < 12; ++members) {
    for (unsigned bits = 1; bits < (1U << members); bits += 1 + members / 4) {
      std::vector<bool> listens;
      for (std::uint32_t i = 0; i < members; ++i) listens.push_back((bits >> i & 1U) != 0);
      const auto graph = reachable_graph(ring(members), listens);
      ASSERT_TRUE(graph) << graph.error().message;
      for (const auto& [a, b] : graph->edges()) ASSERT_TRUE(listens[a] || listens[b]) << members << " " << bits;
      const auto listeners = static_cast<std::size_t>(std::count(listens.begin(), listens.end(), true));
      for (std::uint32_t i = 0; i < members; ++i)
        if (!listens[i]) {
          ASSERT_GE(graph->neighbours(AgentId{i}).size(), std::min<std::size_t>(listeners, 2));
        }
    }
  }
}

TEST(ReachableGraph, NeedsSomebodyWhoListens) {
  const auto graph = reachable_graph(ring(3), {false, false, false});
  ASSERT_FALSE(graph);
  EXPECT_THAT(graph.error().message, HasSubstr("`relay=FILE.pub@HOST:PORT`"));
}

}  // namespace
}  // namespace ppdnmf::consortium
