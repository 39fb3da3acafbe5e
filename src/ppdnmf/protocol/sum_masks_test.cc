// What masks hide, tried out: coalitions of agents against the others (docs/threat_model.md).
#include <ppdnmf/protocol/sum_masks.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <ppdnmf/protocol/test_sums.h>

namespace ppdnmf::protocol {
namespace {

using testing_sums::Members;
using testing_sums::random_graph;
using testing_sums::random_words;
using testing_sums::run_sum;
using testing_sums::Sent;
using testing_sums::SumRun;

TEST(MaskPartners, EverybodyUpToSixtyFiveThenSixtyFour) {
  for (const std::uint32_t agents : {2U, 3U, 65U}) {
    EXPECT_EQ(mask_partners(AgentId{1}, agents, {}).size(), agents - 1);
  }
  for (const std::uint32_t agents : {66U, 100U, 1000U}) {
    std::vector<std::set<std::uint32_t>> partners(agents);
    for (std::uint32_t i = 0; i < agents; ++i) {
      for (const AgentId partner : mask_partners(AgentId{i}, agents, {})) partners[i].insert(partner.value);
      EXPECT_EQ(partners[i].size(), 64U);
      EXPECT_EQ(partners[i].count(i), 0U);
    }
    for (std::uint32_t i = 0; i < agents; ++i) {
      for (const std::uint32_t k : partners[i]) EXPECT_EQ(partners[k].count(i), 1U) << "partners are mutual";
    }
  }
}

TEST(MaskPartners, TheRingsOrderFollowsFromTheNonces) {
  Digest other{};
  other[3] = 1;
  EXPECT_FALSE(mask_partners(AgentId{0}, 200, {}) == mask_partners(AgentId{0}, 200, other));
  EXPECT_TRUE(mask_partners(AgentId{0}, 200, other) == mask_partners(AgentId{0}, 200, other));
}

// Longer than what one task masks.
TEST(SumMasks, CancelInLongSums) {
  const Members members(3);
  const std::size_t size = 2 * crypto::kMaskPart + 5;
  Words sum(size);
  for (std::uint32_t i = 0; i < 3; ++i) {
    Words words(size);
    members.masks(i).apply(words, Digest{});
    for (std::size_t t = 0; t < size; ++t) sum[t] += words[t];
    EXPECT_TRUE(std::none_of(words.begin(), words.end(), [](Word word) { return word == 0; })) << i;
  }
  EXPECT_TRUE(sum == Words(size));
}

TEST(SumMasks, CancelInTheSumOverAllAgentsAndOnlyThere) {
  for (const std::uint32_t agents : {2U, 3U, 7U, 65U, 66U, 100U}) {
    const Members members(agents);
    Words sum(5);
    Words all_but_one(5);
    for (std::uint32_t i = 0; i < agents; ++i) {
      Words words(5);
      members.masks(i).apply(words, Digest{});
      for (std::size_t t = 0; t < 5; ++t) {
        sum[t] += words[t];
        if (i > 0) all_but_one[t] += words[t];
      }
    }
    EXPECT_TRUE(sum == Words(5)) << agents;
    EXPECT_TRUE(std::none_of(all_but_one.begin(), all_but_one.end(), [](Word word) { return word == 0; })) << agents;
  }
}

TEST(SumMasks, AnAgentWithAnUnusableNonceIsNamed) {
  Members members(4);
  members.nonces[2] = {};
  const auto masks = SumMasks::agree(AgentId{0}, members.secrets[0], members.nonces, Digest{});
  ASSERT_FALSE(masks);
  EXPECT_EQ(masks.error().code, ErrorCode::kPeer);
  EXPECT_EQ(masks.error().message, "agent 2: its nonce: it is not a usable X25519 key");
}

// --- what a coalition sees -------------------------------------------------------------------------------------------

constexpr std::size_t kSize = 3;

// The masks between every two agents, as words that a test can move.
using PairMasks = std::map<std::pair<std::uint32_t, std::uint32_t>, Words>;  // i < k: i adds, k subtracts

PairMasks pair_masks(const Members& members, std::uint32_t agents) {
  PairMasks masks;
  for (std::uint32_t i = 0; i < agents; ++i) {
    for (std::uint32_t k = i + 1; k < agents; ++k) {
      const auto key = crypto::SumPairKey::agree({members.secrets[i].identity, members.secrets[i].ephemeral},
                                                 {(*members.secrets[i].members)[k], members.nonces[k]}, Digest{}, true);
      Words words(kSize);
      key->apply(words, Digest{});
      masks[{i, k}] = std::move(words);
    }
  }
  return masks;
}

std::vector<Words> masked(const std::vector<Words>& values, const PairMasks& masks) {
  std::vector<Words> words = values;
  for (const auto& [pair, mask] : masks) {
    for (std::size_t t = 0; t < kSize; ++t) {
      words[pair.first][t] += mask[t];
      words[pair.second][t] -= mask[t];
    }
  }
  return words;
}

// All messages that reach or leave a member of the coalition. Whoever sends or receives sees the bytes.
std::vector<Sent> view(const SumRun& run, const std::set<std::uint32_t>& coalition) {
  std::vector<Sent> seen;
  for (const Sent& sent : run.sent) {
    if (coalition.count(sent.from.value) + coalition.count(sent.to.value) > 0) seen.push_back(sent);
  }
  return seen;
}

// A mask between i and k is moved: what i adds becomes less by `amount`.
void move_mask(PairMasks& masks, std::uint32_t i, std::uint32_t k, const Words& amount) {
  Words& mask = masks.at({std::min(i, k), std::max(i, k)});
  for (std::size_t t = 0; t < kSize; ++t) mask[t] = i < k ? mask[t] - amount[t] : mask[t] + amount[t];
}

bool is_in_branch(const std::vector<TreePlace>& places, std::uint32_t agent, std::uint32_t top) {
  while (agent != top && places[agent].parent) agent = places[agent].parent->value;
  return agent == top;
}

bool sees_one_of(std::uint32_t i, std::uint32_t k, const Graph& graph, const std::set<std::uint32_t>& coalition) {
  const std::vector<TreePlace> places = spanning_tree(graph);
  for (std::uint32_t sender = 0; sender < graph.agents(); ++sender) {
    if (!places[sender].parent) continue;
    const bool seen = coalition.count(sender) + coalition.count(places[sender].parent->value) > 0;
    if (seen && is_in_branch(places, i, sender) != is_in_branch(places, k, sender)) return true;
  }
  return false;
}

TEST(SumMasks, ACoalitionSeesTheSameBytesWhereverTheHonestAgentsNumbersAre) {
  int told_apart_without_masks_moved = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Stream stream(Seed::from_number(seed), 'V');
    const auto agents = static_cast<std::uint32_t>(4 + stream.below(6));
    const Graph graph = random_graph(agents, stream);
    const Members members(agents, seed);
    const PairMasks masks = pair_masks(members, agents);
    std::vector<Words> values;
    for (std::uint32_t n = 0; n < agents; ++n) values.push_back(random_words(stream, kSize));
    // Two honest agents, and a third through whom their masks are joined; some of the others work together.
    std::vector<std::uint32_t> order(agents);
    for (std::uint32_t n = 0; n < agents; ++n) order[n] = n;
    for (std::uint32_t n = agents; n > 1; --n) std::swap(order[n - 1], order[stream.below(n)]);
    const auto [i, k, between] = std::array{order[0], order[1], order[2]};
    const bool direct = stream.below(2) == 0;
    std::set<std::uint32_t> coalition;
    for (std::uint32_t n = 3; n < agents; ++n) {
      if (stream.below(3) != 0) coalition.insert(order[n]);
    }
    if (direct && stream.below(2) == 0) coalition.insert(between);

    const Words amount = random_words(stream, kSize);
    std::vector<Words> moved_values = values;
    for (std::size_t t = 0; t < kSize; ++t) {
      moved_values[i][t] += amount[t];
      moved_values[k][t] -= amount[t];
    }
    PairMasks moved_masks = masks;
    if (direct) {
      move_mask(moved_masks, i, k, amount);
    } else {
      move_mask(moved_masks, i, between, amount);
      move_mask(moved_masks, between, k, amount);
    }
    const std::vector<Digest> chains(agents);
    const SumRun before = run_sum(graph, masked(values, masks), chains);
    const SumRun after = run_sum(graph, masked(moved_values, moved_masks), chains);
    const SumRun unmoved = run_sum(graph, masked(moved_values, masks), chains);
    ASSERT_TRUE(view(before, coalition) == view(after, coalition));
    ASSERT_TRUE(before.outcomes[0]->total == unmoved.outcomes[0]->total) << "the total is the same in any case";
    // Who sees a part that holds one of the two and not the other would see the numbers move; nobody else would.
    const bool told_apart = sees_one_of(i, k, graph, coalition);
    ASSERT_EQ(view(before, coalition) == view(unmoved, coalition), !told_apart);
    if (told_apart) ++told_apart_without_masks_moved;
  }
  EXPECT_GT(told_apart_without_masks_moved, 50);
}

// The words above are those that agents really send.
TEST(SumMasks, AreTheSumOfTheMasksWithAllPartners) {
  const Members members(6);
  const std::vector<Words> by_hand = masked(std::vector<Words>(6, Words(kSize)), pair_masks(members, 6));
  for (std::uint32_t i = 0; i < 6; ++i) {
    Words words(kSize);
    members.masks(i).apply(words, Digest{});
    EXPECT_TRUE(words == by_hand[i]) << i;
  }
}

// Agents that were told different totals hang their masks on different chains. Whatever the split, nothing opens.
TEST(SumMasks, NothingOpensForAgentsThatWereToldDifferentTotals) {
  constexpr std::uint32_t kAgents = 6;
  const Members members(kAgents);
  Digest other{};
  other[0] = 1;
  for (std::uint32_t misled = 1; misled + 1 < (1U << kAgents); ++misled) {
    Words sum(kSize);
    Words of_the_misled(kSize);
    for (std::uint32_t i = 0; i < kAgents; ++i) {
      const bool is_misled = (misled >> i & 1U) != 0;
      Words words(kSize);
      members.masks(i).apply(words, is_misled ? other : Digest{});
      for (std::size_t t = 0; t < kSize; ++t) {
        sum[t] += words[t];
        if (is_misled) of_the_misled[t] += words[t];
      }
    }
    for (std::size_t t = 0; t < kSize; ++t) {
      ASSERT_TRUE(sum[t] != 0) << misled;
      ASSERT_TRUE(of_the_misled[t] != 0) << misled;
    }
  }
}

// Bytes of one agent's masked zeros, and of a partial sum of two, by a chi-square test with 255 degrees of freedom.
TEST(SumMasks, OnePartialSumIsUniform) {
  const Members members(5);
  Words words(40000);
  for (const std::uint32_t agent : {1U, 3U}) {
    members.masks(agent).apply(words, Digest{});
    std::array<double, 256> counts{};
    for (const std::uint8_t byte : to_bytes(words)) ++counts[byte];
    const double expected = static_cast<double>(16 * words.size()) / 256;
    double chi_square = 0;
    for (const double count : counts) chi_square += (count - expected) * (count - expected) / expected;
    EXPECT_LT(chi_square, 255 + 5 * std::sqrt(2 * 255.0));
    EXPECT_GT(chi_square, 255 - 5 * std::sqrt(2 * 255.0));
  }
}

}  // namespace
}  // namespace ppdnmf::protocol
