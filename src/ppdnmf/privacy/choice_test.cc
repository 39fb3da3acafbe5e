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
  EXPECT_FALSE(of_faces(1).moments);
  EXPECT_FALSE(of_faces(2).moments);
  EXPECT_TRUE(of_faces(4).moments);
  EXPECT_TRUE(of(96, 500, 0.5).moments) << "few components";
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
