#include <ppdnmf/protocol/column_minimum.h>

#include <gtest/gtest.h>

namespace ppdnmf::protocol {
namespace {

TEST(ColumnMinimum, IsPerAgentWhenHardenedAndNeverBelowTheRank) {
  EXPECT_EQ(column_minimum(SchemeKind::kHardened, 96, 4).of_each, 20);
  EXPECT_EQ(column_minimum(SchemeKind::kHardened, 96, 49).of_each, 49);
  EXPECT_EQ(column_minimum(SchemeKind::kHardened, 96, 4, 30).of_each, 30);
  EXPECT_EQ(column_minimum(SchemeKind::kHardened, 96, 4).of_others, 0);
}

TEST(ColumnMinimum, IsOfAllOthersBehindATotal) {
  EXPECT_EQ(column_minimum(SchemeKind::kSum, 96, 4).of_others, 192);
  EXPECT_EQ(column_minimum(SchemeKind::kSum, 5, 4).of_others, 40);
  EXPECT_EQ(column_minimum(SchemeKind::kSum, 96, 4).of_each, 0);
}

TEST(ColumnMinimum, RealRunsRefuseBelowItAndSayWhatToDo) {
  const ColumnMinimum hardened = column_minimum(SchemeKind::kHardened, 96, 4);
  EXPECT_TRUE(check_columns(hardened, 20, 21));
  const auto few = check_columns(hardened, 19, 1000);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code, ErrorCode::kInvalidData);
  EXPECT_NE(few.error().message.find("19 columns"), std::string::npos);
  EXPECT_NE(few.error().message.find("allow_few_columns"), std::string::npos);
  const ColumnMinimum sum = column_minimum(SchemeKind::kSum, 96, 4);
  EXPECT_TRUE(check_columns(sum, 1, 193));
  EXPECT_FALSE(check_columns(sum, 2, 193)) << "191 of others are too few";
  EXPECT_TRUE(check_columns(column_minimum(SchemeKind::kAsPrinted, 96, 4), 1, 3));
}

TEST(ColumnMinimum, SimulationsAreWarned) {
  const ColumnMinimum hardened = column_minimum(SchemeKind::kHardened, 96, 4);
  EXPECT_TRUE(few_column_notes(hardened, {20, 20, 30}).empty());
  const auto notes = few_column_notes(hardened, {20, 3, 19});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("Agents 1, 2 have fewer than 20 columns"), std::string::npos) << notes[0];
  const ColumnMinimum sum = column_minimum(SchemeKind::kSum, 30, 4);
  EXPECT_TRUE(few_column_notes(sum, {40, 20, 1000}).empty());
  ASSERT_EQ(few_column_notes(sum, {40, 19, 1000}).size(), 1U);
  EXPECT_NE(few_column_notes(sum, {40, 19, 1000})[0].find("59 columns together"), std::string::npos);
  EXPECT_TRUE(few_column_notes(hardened, {3}).empty()) << "one agent alone hides nothing from anybody";
}

}  // namespace
}  // namespace ppdnmf::protocol
