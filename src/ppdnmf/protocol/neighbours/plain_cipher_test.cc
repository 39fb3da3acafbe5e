#include <ppdnmf/protocol/neighbours/plain_cipher.h>

#include <gtest/gtest.h>

namespace ppdnmf::protocol::neighbours {
namespace {

RunSettings settings() {
  RunSettings s;
  s.rows = 2;
  s.rank = 1;
  s.scheme = SchemeKind::kHardened;
  s.weight_rule = WeightRule::kSecret;  // answers with all that an answer can have
  complete(s, *Graph::create(3, {{0, 1}, {1, 2}}));
  return s;
}

constexpr Round kRound{1, 1};

TEST(PlainCipher, CarriesTheWeightedDifferences) {
  PlainCipher cipher(settings());
  const auto query = cipher.make_query(kRound, std::vector<std::int64_t>{-10, 4, 0});
  ASSERT_TRUE(query);
  const std::vector<std::int64_t> u = {13, -6, 1};
  const std::vector<std::int64_t> blinding = {1, -1, 0};
  const auto first = cipher.make_reply(kRound, AgentId{1}, *query, {7, u, blinding});
  const auto second = cipher.make_reply(kRound, AgentId{1}, *query, {5, u, {}});
  ASSERT_TRUE(first && second);
  const std::vector<ReceivedReply> replies = {{AgentId{0}, *first}, {AgentId{2}, *second}};
  const auto sum = cipher.open(kRound, replies);
  ASSERT_TRUE(sum);
  EXPECT_EQ(*sum, (std::vector<std::int64_t>{12 * 3 + 1, 12 * -2 - 1, 12}));
}

TEST(PlainCipher, RefusesWrongLengthsAndEntriesBeyondTheBound) {
  const RunSettings s = settings();
  PlainCipher cipher(s);
  const std::vector<std::int64_t> u = {0, 0, 1};
  for (const std::size_t size : {0U, 1U, 23U, 25U, 32U, 100000U}) {
    const Bytes payload(size);
    const auto reply = cipher.make_reply(kRound, AgentId{2}, payload, {1, u, {}});
    ASSERT_FALSE(reply) << size;
    EXPECT_EQ(reply.error().code, ErrorCode::kPeer);
    EXPECT_NE(reply.error().message.find("agent 2"), std::string::npos) << reply.error().message;
    const ReceivedReply received{AgentId{2}, payload};
    EXPECT_FALSE(cipher.open(kRound, {&received, 1})) << size;
  }
  const auto bound = static_cast<std::int64_t>(static_cast<double>(s.n_max) * s.u_bound);
  const auto at = cipher.make_query(kRound, std::vector<std::int64_t>{bound, -bound, 0});
  const auto beyond = cipher.make_query(kRound, std::vector<std::int64_t>{0, -bound - 1, 0});
  EXPECT_TRUE(cipher.make_reply(kRound, AgentId{0}, *at, {1, u, {}}));
  EXPECT_FALSE(cipher.make_reply(kRound, AgentId{0}, *beyond, {1, u, {}}));
  const auto huge = cipher.make_query(kRound, std::vector<std::int64_t>{0, INT64_MIN, INT64_MAX});
  const ReceivedReply received{AgentId{0}, *huge};
  EXPECT_FALSE(cipher.open(kRound, {&received, 1}));
}

TEST(PlainCipher, TheLargestSumsDoNotOverflow) {
  RunSettings s = settings();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 1; i < 1000; ++i) edges.emplace_back(0, i);
  complete(s, *Graph::create(1000, edges));
  PlainCipher cipher(s);
  const auto bound = static_cast<std::int64_t>(static_cast<double>(s.n_max) * s.u_bound);
  const std::int64_t weight = (std::int64_t{1} << s.multiplier_bits()) - 1;
  const std::vector<std::int64_t> u(3, bound);
  const auto query = cipher.make_query(kRound, std::vector<std::int64_t>(3, bound));
  const auto reply = cipher.make_reply(kRound, AgentId{0}, *query, {weight, u, {}});
  ASSERT_TRUE(reply);
  const std::vector<ReceivedReply> replies(999, {AgentId{1}, *reply});
  const auto sum = cipher.open(kRound, replies);
  ASSERT_TRUE(sum);
  EXPECT_EQ((*sum)[0], 999 * weight * 2 * bound);
  EXPECT_GT((*sum)[0], 0);
}

TEST(PlainCipher, KeysInAPlainRunAreRefused) {
  PlainCipher cipher(settings());
  EXPECT_EQ(cipher.max_greeting_bytes(), 0U);
  EXPECT_TRUE(cipher.accept_greeting(AgentId{1}, cipher.greeting(AgentId{1})));
  EXPECT_FALSE(cipher.accept_greeting(AgentId{1}, Bytes{1}));
}

}  // namespace
}  // namespace ppdnmf::protocol::neighbours
