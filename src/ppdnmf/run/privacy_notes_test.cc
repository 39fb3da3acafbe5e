#include <ppdnmf/run/privacy_notes.h>

#include <gtest/gtest.h>

#include <ppdnmf/privacy/meaning.h>

namespace ppdnmf::run {
namespace {

protocol::RunSettings settings(protocol::SchemeKind scheme) {
  protocol::RunSettings s;
  s.rows = 30;
  s.rank = 4;
  s.scheme = scheme;
  return s;
}

report::RunRecord record(std::vector<Index> columns, std::vector<std::uint32_t> colluders) {
  report::RunRecord r;
  r.columns_per_agent = std::move(columns);
  r.colluders_to_isolate = std::move(colluders);
  return r;
}

std::string all(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += note + "\n";
  return text;
}

TEST(PrivacyNotes, SayHowManyMustColludeAndWhereThatIsALowerBound) {
  report::RunRecord r = record({20, 20, 20, 20}, {1, 3, 3, 3});
  r.colluders_at_least = {2};
  const std::string notes = all(privacy_notes(settings(protocol::SchemeKind::kHardened), r));
  EXPECT_NE(notes.find("alone: 1 for agent 0; 3 for agents 1, 3; at least 3 for agent 2."), std::string::npos) << notes;
  EXPECT_EQ(notes.find("columns"), std::string::npos) << notes;
}

TEST(PrivacyNotes, WarnOfFewColumns) {
  const std::string hardened =
      all(privacy_notes(settings(protocol::SchemeKind::kHardened), record({20, 3, 20}, {1, 1, 1})));
  EXPECT_NE(hardened.find("Agent 1 has fewer than 20 columns"), std::string::npos) << hardened;
  const std::string sum = all(privacy_notes(settings(protocol::SchemeKind::kSum), record({20, 3, 20}, {1, 1, 1})));
  EXPECT_NE(sum.find("23 columns together"), std::string::npos) << sum;
}

TEST(PrivacyNotes, TheSchemeAsPrintedIsCalledWhatItIs) {
  const auto notes = privacy_notes(settings(protocol::SchemeKind::kAsPrinted), record({1, 1, 1}, {0, 0, 0}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("is not private"), std::string::npos);
}

TEST(AccountNotes, SayWhatTheAccountMeansForOneColumn) {
  protocol::RunSettings s = settings(protocol::SchemeKind::kSum);
  EXPECT_TRUE(seeded_account_notes(s, 3).empty());
  const privacy::Budget budget{4, 1e-6};
  s.privacy = protocol::PrivacySettings{budget, nmf::ColumnNorm::kL2,
                                        privacy::plan_noise({budget, 30, 4, 40, 3, 2, 1000, 32}).value()};
  const std::string notes = all(seeded_account_notes(s, 3));
  EXPECT_NE(notes.find(privacy::meaning_of(s.privacy->noise.rho)), std::string::npos) << notes;
}

}  // namespace
}  // namespace ppdnmf::run
