#include <ppdnmf/protocol/run_settings.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>

namespace ppdnmf::protocol {
namespace {

Graph ring(std::uint32_t agents) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < agents; ++i) edges.emplace_back(i, (i + 1) % agents);
  return *Graph::create(agents, edges);
}

Graph star(std::uint32_t agents) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 1; i < agents; ++i) edges.emplace_back(0, i);
  return *Graph::create(agents, edges);
}

RunSettings valid(const Graph& graph) {
  RunSettings s;
  s.rows = 30;
  s.rank = 5;
  s.scheme = SchemeKind::kHardened;
  complete(s, graph);
  return s;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Change = std::function<void(RunSettings&)>;

TEST(RunSettings, HaveTheTablesSchemeUnlessToldOtherwise) {
  Settings said;
  said.rank = 5;
  EXPECT_EQ(RunSettings{}.scheme, make_run_settings(said, 30, ring(5))->scheme);
}

TEST(RunSettings, DefaultsAreValid) {
  const RunSettings s = valid(ring(5));
  EXPECT_TRUE(validate(s));
  EXPECT_EQ(s.diameter, 2U);
  EXPECT_EQ(s.max_degree, 2U);
  EXPECT_EQ(s.weight_bits, 24);
  EXPECT_LE(s.sum_bits(), 63);
}

TEST(RunSettings, EveryRangeIsCheckedAndTheSettingNamed) {
  const std::vector<std::pair<std::string, Change>> wrong = {
      {"`rank`", [](RunSettings& s) { s.rank = 0; }},
      {"`iterations`", [](RunSettings& s) { s.iterations = 0; }},
      {"`starts`", [](RunSettings& s) { s.starts = 0; }},
      {"`starts=2`", [](RunSettings& s) { s.starts = 2; }},
      {"`start=ones`",
       [](RunSettings& s) {
         s.scheme = SchemeKind::kSum;
         s.starts = 2;
         s.start = nmf::Start::kOnes;
       }},
      {"`scheme=sum`",
       [](RunSettings& s) {
         s.scheme = SchemeKind::kSum;
         s.updates = nmf::Updates::kAsPrinted;
       }},
      {"`admm_x`", [](RunSettings& s) { s.admm_x = -3; }},
      {"`admm_y`", [](RunSettings& s) { s.admm_y = 0; }},
      {"`local_rounds`", [](RunSettings& s) { s.local_rounds = 0; }},
      {"`n_max`", [](RunSettings& s) { s.n_max = 0; }},
      {"`n_max`", [](RunSettings& s) { s.n_max = -1; }},
      {"`mu`", [](RunSettings& s) { s.mu = 0; }},
      {"`mu`", [](RunSettings& s) { s.mu = -1; }},
      {"`eta`", [](RunSettings& s) { s.eta = kNan; }},
      {"`weight`", [](RunSettings& s) { s.weight = kInfinity; }},
      {"`tolerance`", [](RunSettings& s) { s.tolerance = -0.1; }},
      {"`tolerance`", [](RunSettings& s) { s.tolerance = 1; }},
      {"`tolerance`", [](RunSettings& s) { s.tolerance = kNan; }},
      {"`admm_tolerance`", [](RunSettings& s) { s.admm_tolerance = 2; }},
      {"`u_bound`", [](RunSettings& s) { s.u_bound = 0; }},
      {"`u_bound`", [](RunSettings& s) { s.u_bound = kNan; }},
      {"`u_bound`", [](RunSettings& s) { s.u_bound = kInfinity; }},
      {"`n_max=", [](RunSettings& s) { s.n_max = std::int64_t{1} << 60; }},
      {"`u_bound=", [](RunSettings& s) { s.u_bound = 0x1p39; }},
      {"`n_max=", [](RunSettings& s) { s.weight_bits = 7; }},
  };
  for (const auto& [option, change] : wrong) {
    RunSettings s = valid(ring(5));
    change(s);
    const Status status = validate(s);
    ASSERT_FALSE(status) << option;
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    EXPECT_NE(status.error().message.find(option), std::string::npos) << status.error().message;
  }
}

TEST(RunSettings, TheDigestDiffersWheneverASettingOrTheGraphDiffers) {
  const std::vector<Change> changes = {
      [](RunSettings&) {},
      [](RunSettings& s) { s.rows = 31; },
      [](RunSettings& s) { s.rank = 6; },
      [](RunSettings& s) { s.updates = nmf::Updates::kAsPrinted; },
      [](RunSettings& s) { s.scheme = SchemeKind::kAsPrinted; },
      [](RunSettings& s) { s.scheme = SchemeKind::kSum; },
      [](RunSettings& s) { s.start = nmf::Start::kOnes; },
      [](RunSettings& s) { s.y_first = !s.y_first; },
      [](RunSettings& s) { s.blinding = !s.blinding; },
      [](RunSettings& s) { s.closing = !s.closing; },
      [](RunSettings& s) { s.weight_rule = WeightRule::kSecret; },
      [](RunSettings& s) { s.factors = 0; },
      [](RunSettings& s) { s.factors = 7; },
      [](RunSettings& s) { s.start_spread += 0.1; },
      [](RunSettings& s) { ++s.iterations; },
      [](RunSettings& s) { ++s.starts; },
      [](RunSettings& s) { ++s.admm_x; },
      [](RunSettings& s) { ++s.admm_y; },
      [](RunSettings& s) { ++s.local_rounds; },
      [](RunSettings& s) { s.tolerance = 1e-9; },
      [](RunSettings& s) { s.admm_tolerance = 1e-9; },
      [](RunSettings& s) { s.data_scale = 2; },
      [](RunSettings& s) { s.mu = 1; },
      [](RunSettings& s) { s.eta = 1; },
      [](RunSettings& s) { s.weight = 1; },
      [](RunSettings& s) { s.scaled_weight = 1; },
      [](RunSettings& s) { ++s.n_max; },
      [](RunSettings& s) { s.u_bound += 1; },
      [](RunSettings& s) { --s.weight_bits; },
      [](RunSettings& s) { s.g_scale *= 2; },
  };
  std::set<Digest> seen;
  for (const Change& change : changes) {
    RunSettings s = valid(ring(5));
    change(s);
    seen.insert(s.digest(ring(5)));
  }
  seen.insert(valid(ring(5)).digest(ring(6)));
  seen.insert(valid(ring(5)).digest(star(5)));
  EXPECT_EQ(seen.size(), changes.size() + 2);
  EXPECT_EQ(valid(ring(5)).digest(ring(5)), valid(ring(5)).digest(ring(5)));
}

TEST(RunSettings, AnAgentWithManyNeighboursLeavesFewerBitsForSecretWeights) {
  const Graph wide = star(1000);  // degree 999
  RunSettings s = valid(wide);
  EXPECT_EQ(s.weight_bits, 24) << "a common weight is in no answer";
  EXPECT_EQ(s.sum_bits(), 43);
  s.weight_rule = WeightRule::kSecret;
  complete(s, wide);
  EXPECT_EQ(s.max_degree, 999U);
  EXPECT_LT(s.weight_bits, 24);
  EXPECT_EQ(s.sum_bits(), 63);
  EXPECT_TRUE(validate(s));
  // bits(1e6 * 1024) = 30, sign 1, bits(1000) = 10, one more: 42 besides the weight.
  EXPECT_EQ(s.weight_bits, 21);
}

TEST(RunSettings, CompletingFollowsRowsAndWeight) {
  RunSettings s;
  s.rows = 5000;
  s.rank = 2;
  s.scheme = SchemeKind::kHardened;
  s.weight = 0.05;
  complete(s, ring(4));
  EXPECT_EQ(s.u_bound, 8192);
  const double code = *s.weight * s.g_scale;  // the integer that stands for the paper's g
  EXPECT_GE(code, 0x1p14);
  EXPECT_LT(code, 0x1p16);
  RunSettings printed;
  printed.rows = 30;
  printed.rank = 2;
  printed.scheme = SchemeKind::kHardened;
  printed.updates = nmf::Updates::kAsPrinted;
  complete(printed, ring(4));
  EXPECT_FALSE(printed.weight);
  ASSERT_TRUE(printed.scaled_weight);
  EXPECT_DOUBLE_EQ(*printed.scaled_weight, 0.05);
}

// The integers that stand for a weight do not depend on the scale, so that they can be drawn before anybody knows it.
TEST(RunSettings, TheScaleChangesWhatAWeightsIntegerIsWorth) {
  for (const bool given : {false, true}) {
    RunSettings before;
    before.rows = 30;
    before.rank = 2;
    before.scheme = SchemeKind::kHardened;
    if (given) before.weight = 0.3;
    complete(before, ring(4));
    RunSettings after = before;
    take_scale(after, 8);
    EXPECT_EQ(after.data_scale, 8);
    EXPECT_EQ(after.g_scale, given ? 8 * before.g_scale : before.g_scale);
    RunSettings known = before;
    known.data_scale = 8;
    complete(known, ring(4));
    EXPECT_EQ(after.g_scale, known.g_scale);
  }
}

TEST(RunSettings, RoundsSuitTheDiameter) {
  EXPECT_EQ(automatic_admm_x(ring(3)), 3);
  EXPECT_EQ(automatic_admm_x(ring(18)), 6);  // diameter 9
  EXPECT_EQ(automatic_admm_x(ring(100)), 10);
}

}  // namespace
}  // namespace ppdnmf::protocol
