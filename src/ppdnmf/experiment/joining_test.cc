#include <ppdnmf/experiment/joining.h>

#include <gtest/gtest.h>

#include <algorithm>

#include <ppdnmf/experiment/encrypted_check.h>
#include <ppdnmf/experiment/face_data.h>

namespace ppdnmf::experiment {
namespace {

bool go_on() { return false; }

TEST(Joining, OneColumnInFiveIsHeldOutAndEveryAgentKeepsHalf) {
  const std::vector<Index> columns = {1, 3, 10, 2, 24};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto held_out = choose_held_out(columns, seed);
    ASSERT_TRUE(held_out);
    EXPECT_EQ(held_out->size(), 8);
    EXPECT_TRUE(std::is_sorted(held_out->begin(), held_out->end()));
    EXPECT_EQ(std::adjacent_find(held_out->begin(), held_out->end()), held_out->end());
    Index first = 0;
    for (const Index share : columns) {
      const auto given =
          std::count_if(held_out->begin(), held_out->end(), [&](Index c) { return c >= first && c < first + share; });
      EXPECT_LE(given, share / 2) << "seed " << seed;
      first += share;
    }
    EXPECT_EQ(*held_out, *choose_held_out(columns, seed));
  }
  EXPECT_NE(*choose_held_out(columns, 1), *choose_held_out(columns, 2));
}

TEST(Joining, NothingToHoldOutGetsASentence) {
  const auto held_out = choose_held_out({1, 1, 1}, 1);
  ASSERT_FALSE(held_out);
  EXPECT_EQ(held_out.error().code, ErrorCode::kUsage);
}

TrialProblem faces() {
  TrialProblem problem;
  problem.Z = make_face_data(60, 2);
  problem.columns = {12, 12, 12, 12, 12};
  problem.rank = 10;
  problem.seed = 3;
  return problem;
}

// Ten columns do not show all that sixty do: who learns together does better on new ones, nearly as well as a centre.
TEST(Joining, AgentsGainByJoiningOnFaces) {
  const auto outcome = run_joining(faces(), go_on);
  ASSERT_TRUE(outcome && *outcome);
  const JoiningOutcome& o = **outcome;
  EXPECT_EQ(o.held_out, 12);
  EXPECT_EQ(o.alone.size(), 5);
  EXPECT_LE(o.rank_alone, 10);
  EXPECT_LT(o.together, *std::min_element(o.alone.begin(), o.alone.end()));
  EXPECT_LT(o.together, 1.1 * o.centre);
  EXPECT_GT(o.together, 0.8 * o.centre);
}

TEST(Joining, OutcomesSurviveTheirBytesAndStoppingEndsIt) {
  const JoiningOutcome outcome{{0.1, 0.3}, 0.05, 0.04, 7, 3};
  const Bytes bytes = encode(outcome);
  const auto again = decode_joining(bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(encode(*again), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(decode_joining(ByteSpan(bytes).first(size)));
  int asked = 0;
  const auto stopped = run_joining(faces(), [&] { return ++asked > 3; });
  ASSERT_TRUE(stopped);
  EXPECT_FALSE(stopped->has_value());
}

TEST(EncryptedCheck, FindsTheSameBits) {
  TrialProblem problem = faces();
  problem.Z = problem.Z.topRows(30).eval();
  problem.rank = 3;
  crypto::KeyOptions keys;
  keys.bits = 512;
  keys.test_only = true;
  const auto check = run_encrypted_check(problem, 7, keys, go_on);
  ASSERT_TRUE(check && *check) << check.error().message;
  EXPECT_TRUE((*check)->same);
  EXPECT_EQ((*check)->rounds, 6);  // two iterations of three
  EXPECT_EQ((*check)->key_bits, 512);
  const auto again = decode_check(encode(**check));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->same);
  EXPECT_FALSE(decode_check(Bytes(3)));
}

}  // namespace
}  // namespace ppdnmf::experiment
