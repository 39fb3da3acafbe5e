#include <ppdnmf/consortium/lost_member.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ppdnmf/consortium/test_consortium.h>

namespace ppdnmf::consortium {
namespace {

using namespace testing;

std::vector<std::string> edges_of(const Consortium& c) {
  std::vector<std::string> out;
  for (const auto& [a, b] : c.edges) out.push_back(std::min(a, b) + std::max(a, b));
  return out;
}

TEST(WithoutMember, ARingStaysARing) {
  const Consortium before = test_consortium();
  const auto after = without_member(before, "b");
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_THAT(edges_of(*after), UnorderedElementsAre("ac", "cd", "ad"));
  ASSERT_EQ(after->members.size(), 3U);
  EXPECT_TRUE(after->members[1].identity == before.members[2].identity);
  EXPECT_EQ(after->settings, before.settings);
  EXPECT_EQ(after->rows, before.rows);
  EXPECT_THAT(sentences(*after), IsEmpty());
}

TEST(WithoutMember, WhoeverLosesTheCentreOfAStarIsJoinedInARow) {
  Consortium star = test_consortium();
  star.edges = {{"b", "a"}, {"b", "c"}, {"d", "b"}};
  EXPECT_THAT(edges_of(*without_member(star, "b")), UnorderedElementsAre("ac", "cd"));
  EXPECT_THAT(edges_of(*without_member(star, "d")), UnorderedElementsAre("ab", "bc"));
}

TEST(WithoutMember, TwoOfWhomNeitherListensAreJoinedByARelayOnly) {
  Consortium c = test_consortium();
  c.members[0].address.reset();
  c.members[2].address.reset();
  EXPECT_THAT(edges_of(*without_member(c, "b")), UnorderedElementsAre("cd", "ad"));
  c.relay = RelayEntry{identity::test_identity("relay").public_identity(), identity::parse_address("r:1").value()};
  EXPECT_THAT(edges_of(*without_member(c, "b")), UnorderedElementsAre("cd", "ad", "ac"));
}

TEST(WithoutMember, WhatNamesItOrTheOldStartGoes) {
  Consortium c = test_consortium();
  c.allow_degree_one = {"a", "b"};
  c.allow_few_columns = {"b"};
  c.allow_difference_of = {"earlier"};
  c.start_from = Digest{1};
  c.known = Digest{2};
  const auto after = without_member(c, "b");
  EXPECT_THAT(after->allow_degree_one, ElementsAre("a"));
  EXPECT_THAT(after->allow_few_columns, IsEmpty());
  EXPECT_THAT(after->allow_difference_of, IsEmpty());
  EXPECT_EQ(after->start_from, std::nullopt);
  EXPECT_EQ(after->known, Digest{2});
}

TEST(WithoutMember, AStrangerIsNamed) {
  const auto refused = without_member(test_consortium(), "e");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_EQ(refused.error().message, "the file has no member \"e\"");
}

TEST(DifferenceNotes, SayWhatEachSchemeOpensWhole) {
  Consortium c = test_consortium();
  c.settings.scheme = protocol::SchemeKind::kSum;
  EXPECT_THAT(difference_notes(c, "b"), ElementsAre(HasSubstr("how many columns b had")));
  c.start_from = Digest{1};
  EXPECT_THAT(difference_notes(c, "b"),
              ElementsAre(HasSubstr("the part that b had"), HasSubstr("besides, every member")));
  c.start_from.reset();
  c.settings.scheme = protocol::SchemeKind::kMoments;
  EXPECT_THAT(difference_notes(c, "b"), ElementsAre(HasSubstr("second moments of all columns of b, exactly")));
  c.settings.epsilon = 4;
  EXPECT_THAT(difference_notes(c, "b"), ElementsAre(HasSubstr("both runs are private")));
}

}  // namespace
}  // namespace ppdnmf::consortium
