#include <ppdnmf/privacy/choice.h>

#include <gtest/gtest.h>

namespace ppdnmf::privacy {
namespace {

Choice of(std::int64_t rows, double columns, double epsilon) {
  return choose_way({{epsilon, 1e-6}, rows, 8, 0, 10, 9, columns, 32});
}

TEST(Choice, FewColumnsSpendEverythingOnTheOpening) {
  const Choice choice = of(96, 1000, 1);
  EXPECT_TRUE(choice.moments);
  EXPECT_EQ(choice.part, 1);
  EXPECT_EQ(choice.rounds, 0);
  EXPECT_FALSE(choice.because.empty());
}

TEST(Choice, ManyComponentsThatDrownInTheNoiseAreLeftToExchanges) {
  const auto of_faces = [](double epsilon) { return choose_way({{epsilon, 1e-6}, 361, 49, 0, 10, 9, 2429, 32}); };
  EXPECT_FALSE(of_faces(0.5).moments);
  EXPECT_FALSE(of_faces(1).moments);
  EXPECT_FALSE(of_faces(2).moments);
  EXPECT_TRUE(of_faces(4).moments);
  EXPECT_TRUE(of(96, 500, 0.5).moments) << "few components";
  EXPECT_TRUE(choose_way({{0.5, 1e-6}, 96, 25, 0, 10, 9, 1000, 32}).moments) << "not so many components";
}

TEST(Choice, TheClearerTheComponentsTheMoreIsLeftForRounds) {
  const Choice none = of(96, 5000, 1);
  const Choice few = of(96, 5000, 4);
  const Choice more = of(96, 5000, 8);
  EXPECT_EQ(none.rounds, 0);
  EXPECT_GT(few.rounds, none.rounds);
  EXPECT_GT(more.rounds, few.rounds);
  EXPECT_LT(few.part, none.part);
  EXPECT_LT(more.part, few.part);
}

TEST(Choice, ManyColumnsLeaveSomethingForRounds) {
  const Choice choice = of(96, 50000, 8);
  EXPECT_TRUE(choice.moments);
  EXPECT_LT(choice.part, 1);
  EXPECT_EQ(choice.part, part_of_opening(choice.rounds));
  EXPECT_GT(choice.rounds, 0);
}

TEST(Choice, MoreRowsThanATriangleCanCarryMeanExchanges) {
  EXPECT_FALSE(of(kMaxMomentRows + 1, 1e6, 1).moments);
  EXPECT_TRUE(of(kMaxMomentRows, 1e6, 1).moments);
}

}  // namespace
}  // namespace ppdnmf::privacy
