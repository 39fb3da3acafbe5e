#include <ppdnmf/protocol/privacy_account.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ppdnmf::protocol {
namespace {

using ::testing::HasSubstr;

RunSettings planned(SchemeKind scheme, int iterations) {
  RunSettings s;
  s.rows = 96;
  s.rank = 8;
  s.scheme = scheme;
  s.iterations = iterations;
  const auto privacy = plan_privacy({{4, 1e-6}, nmf::ColumnNorm::kL2, 2, 1000}, s, 3);
  EXPECT_TRUE(privacy) << privacy.error().message;
  s.privacy = *privacy;
  return s;
}

// Epsilon 4 with two of three honest agents; with one of them it is mu times sqrt 2, and so it is for a replaced
// column.
TEST(PrivacyAccount, OneMoreColluderAndOneReplacedColumnAreInTheNotes) {
  for (const auto& [scheme, iterations] : {std::pair(SchemeKind::kSum, 60), std::pair(SchemeKind::kMoments, 1)}) {
    const RunSettings s = planned(scheme, iterations);
    const double replaced = privacy::epsilon_of(cost_of_replacing(*s.privacy), 1e-6);
    const double one_more = privacy::epsilon_of(*cost_with_one_more(*s.privacy), 1e-6);
    EXPECT_NEAR(replaced, 5.93, 0.02);
    EXPECT_NEAR(one_more, 5.93, 0.02);
    const std::vector<std::string> notes = account_notes(*s.privacy);
    EXPECT_THAT(notes.back(), HasSubstr(fmt::format("replaced by another: epsilon {:.4g}", replaced)));
    EXPECT_THAT(notes.back(),
                HasSubstr(fmt::format("With one honest agent less than the 2 assumed, epsilon is {:.4g}", one_more)));
    EXPECT_THAT(notes.front(),
                HasSubstr("1e-06)-differentially private for one column added or removed, as long as 2 agents"));
  }
}

TEST(PrivacyAccount, OneHolderAloneIsNotCalledSeveralAgents) {
  PrivacySettings alone = *planned(SchemeKind::kMoments, 1).privacy;
  alone.opening->honest = 1;
  EXPECT_THAT(account_notes(alone).front(),
              HasSubstr("as long as the noise of one holder is known to nobody else. One"));
}

TEST(PrivacyAccount, RoundsInASpanCostFourTimesForAReplacedColumn) {
  const PrivacySettings p = *planned(SchemeKind::kMoments, 7).privacy;
  EXPECT_DOUBLE_EQ(cost_of_replacing(p).rho, 2 * p.opening->rho + 4 * p.noise.rho);
  EXPECT_NEAR(p.opening->rho / p.cost().rho, 0.8, 1e-3);
}

TEST(PrivacyAccount, TheWayIsSaidWithItsReason) {
  const RunSettings chosen = planned(SchemeKind::kMoments, 1);
  EXPECT_THAT(way_note(chosen, 3), HasSubstr("spent on one opening of second moments: "));
  EXPECT_THAT(way_note(planned(SchemeKind::kSum, 60), 3), HasSubstr("as was asked for"));
  RunSettings exact = chosen;
  exact.privacy.reset();
  EXPECT_EQ(way_note(exact, 3), "");
}

}  // namespace
}  // namespace ppdnmf::protocol
