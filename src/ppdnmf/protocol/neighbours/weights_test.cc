#include <ppdnmf/protocol/neighbours/weights.h>

#include <gtest/gtest.h>

#include <cmath>

namespace ppdnmf::protocol::neighbours {
namespace {

RunSettings settings(SchemeKind scheme, std::optional<double> weight, WeightRule rule = WeightRule::kSecret) {
  RunSettings s;
  s.rows = 3;
  s.rank = 1;
  s.iterations = 20;
  s.admm_x = 5;
  s.scheme = scheme;
  s.weight = weight;
  s.weight_rule = rule;
  complete(s, *Graph::create(3, {{0, 1}, {1, 2}}));
  return s;
}

TEST(Weights, HardenedWithAFixedGRiseOverTheWholeRunAndEndAtTheBound) {
  const RunSettings s = settings(SchemeKind::kHardened, 0.05);
  Weights weights(s, 2);
  const Seed secret = Seed::from_number(1);
  std::int64_t last = 0;
  int rises = 0;
  for (std::uint64_t number = 1; number <= 100; ++number) {
    weights.advance(number, secret);
    const std::int64_t now = weights.towards(0);
    EXPECT_EQ(now, weights.towards(1)) << "one weight for all neighbours";
    EXPECT_GE(now, last);
    EXPECT_GE(now, weights.bound() / 2);
    EXPECT_LE(now, weights.bound());
    if (now > last) ++rises;
    last = now;
  }
  EXPECT_GT(rises, 60) << "the weight settled before the run ended";
  EXPECT_GT(last, weights.bound() * 9 / 10);
  EXPECT_LT(weights.bound(), std::int64_t{1} << s.weight_bits);
}

TEST(Weights, AutomaticOnesAreTheBoundAndNeverFall) {
  const RunSettings s = settings(SchemeKind::kHardened, std::nullopt);
  Weights weights(s, 2);
  const Seed secret = Seed::from_number(1);
  std::int64_t last = 0;
  std::uint64_t number = 0;
  for (const double g : {0.5, 0.25, 1.0, 0.0, 0.9, 1e30, 1.0}) {
    weights.raise_bound(g);
    weights.advance(++number, secret);
    EXPECT_GE(weights.towards(0), last);
    EXPECT_LT(weights.towards(0), std::int64_t{1} << s.weight_bits);
    last = weights.towards(0);
  }
  EXPECT_EQ(last, (std::int64_t{1} << s.weight_bits) - 1);
  Weights tiny(s, 2);
  tiny.raise_bound(1e-30);
  tiny.advance(1, secret);
  EXPECT_EQ(tiny.towards(0), 1);
}

TEST(Weights, PrintedOnesAreDrawnAboveTheLastAndOneRoundAhead) {
  const RunSettings s = settings(SchemeKind::kAsPrinted, 0.05);
  Weights weights(s, 3);
  const Seed secret = Seed::from_number(2);
  weights.announce_first(secret);
  std::vector<std::int64_t> last(3, 0);
  bool differ = false;
  for (std::uint64_t number = 1; number <= 100; ++number) {
    std::vector<std::int64_t> announced;
    for (std::size_t j = 0; j < 3; ++j) announced.push_back(weights.next_towards(j));
    weights.advance(number, secret);
    for (std::size_t j = 0; j < 3; ++j) {
      const std::int64_t now = weights.towards(j);
      EXPECT_EQ(now, announced[j]) << "what was revealed is what is used";
      EXPECT_LE(now, weights.bound());
      EXPECT_TRUE(now > last[j] || last[j] == weights.bound()) << "drawn from (last, bound]";
      last[j] = now;
    }
    differ = differ || last[0] != last[1];
  }
  EXPECT_TRUE(differ) << "a weight per edge";
  EXPECT_EQ(last[0], weights.bound());
}

TEST(Weights, AreTheSameForTheSameSecretAndGoOnAfterLoading) {
  for (const SchemeKind scheme : {SchemeKind::kHardened, SchemeKind::kAsPrinted}) {
    const RunSettings s = settings(scheme, 0.05);
    const Seed secret = Seed::from_number(3);
    Weights first(s, 2);
    first.announce_first(secret);
    for (std::uint64_t number = 1; number <= 7; ++number) first.advance(number, secret);
    EXPECT_TRUE(first.in_range(true));
    ByteWriter out;
    first.save(out);
    const Bytes saved = out.take();
    Weights second(s, 2);
    EXPECT_FALSE(second.in_range(true));
    ByteReader in(saved);
    second.load(in);
    ASSERT_TRUE(in.status());
    first.advance(8, secret);
    second.advance(8, secret);
    EXPECT_EQ(first.towards(1), second.towards(1));
    Weights stranger(s, 2);
    const Seed other = Seed::from_number(4);
    stranger.announce_first(other);
    stranger.advance(1, other);
    EXPECT_NE(first.towards(1), stranger.towards(1));
  }
}

TEST(Weights, CommonOnesAreTheSameAtEveryAgentAndRiseEvenly) {
  const RunSettings s = settings(SchemeKind::kHardened, 0.05, WeightRule::kCommon);
  Weights first(s, 2);
  Weights second(s, 1);
  std::int64_t last = (first.bound() + 1) / 2;
  for (std::uint64_t number = 1; number <= 100; ++number) {
    first.advance(number, Seed::from_number(1));
    second.advance(number, Seed::from_number(2));
    EXPECT_EQ(first.towards(0), second.towards(0)) << "no secret enters";
    EXPECT_GT(first.towards(0), last);
    last = first.towards(0);
  }
  EXPECT_EQ(last, first.bound());
}

TEST(Weights, CommonAutomaticOnesFollowAndDoNotStayWhereAnAbsurdOneWas) {
  const RunSettings s = settings(SchemeKind::kHardened, std::nullopt, WeightRule::kCommon);
  Weights weights(s, 2);
  const Seed secret = Seed::from_number(1);
  std::uint64_t number = 0;
  for (const double g : {0.5, 1e30, 0.25, 1e-30}) {
    weights.follow(g);
    weights.advance(++number, secret);
    const auto most = static_cast<double>((std::int64_t{1} << s.weight_bits) - 1);
    EXPECT_EQ(weights.towards(0), std::max(1LL, std::llround(std::min(g * s.g_scale, most))));
    EXPECT_TRUE(weights.in_range(true));
  }
}

}  // namespace
}  // namespace ppdnmf::protocol::neighbours
