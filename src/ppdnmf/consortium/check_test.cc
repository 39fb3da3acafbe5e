#include <ppdnmf/consortium/check.h>

#include <array>

#include <ppdnmf/consortium/test_consortium.h>

namespace ppdnmf::consortium {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(CheckConsortium, HasNothingToSayOfAGoodOne) { EXPECT_THAT(sentences(test_consortium()), IsEmpty()); }

TEST(CheckConsortium, FewerThanThreeMembers) {
  Consortium c = test_consortium();
  c.members.resize(2, c.members[0]);
  c.edges = {{"a", "b"}};
  c.allow_degree_one = {"a", "b"};
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! there are 2 members")));
  c.members.clear();
  c.edges.clear();
  c.allow_degree_one.clear();
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! there are 0 members")));
}

TEST(CheckConsortium, TwoOfOneName) {
  Consortium c = test_consortium();
  c.members.push_back(test_member("a", "e.example:7443"));
  EXPECT_THAT(sentences(c), Contains(StartsWith("! two members are called a:")));
}

TEST(CheckConsortium, TwoOfOneKey) {
  Consortium c = test_consortium();
  const Bytes secret(32, 9);
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
    auto key = crypto::IdentityKey::from_secret_bytes(std::span<const std::uint8_t, 32>(secret));
    c.members[i].identity =
        identity::PrivateIdentity::generate(c.members[i].identity.name(), std::move(key), identity::kTestTime)
            ->public_identity();
  }
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! a and c have the same X25519 key")));
  c = test_consortium();
  c.members.push_back(c.members[1]);
  EXPECT_THAT(sentences(c), Contains(StartsWith("! b and b have the same TLS key")));
}

TEST(CheckConsortium, TwoAtOneAddress) {
  Consortium c = test_consortium();
  c.members[3].address = identity::parse_address("A.example:7443").value();
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! a and d have the same address a.example:7443")));
  c.members[3].address->port = 7444;
  EXPECT_THAT(sentences(c), IsEmpty());
}

TEST(CheckConsortium, UnknownDoubleAndCircularEdges) {
  Consortium c = test_consortium();
  c.edges.emplace_back("a", "x");
  c.edges.emplace_back("b", "a");
  c.edges.emplace_back("d", "d");
  EXPECT_THAT(sentences(c),
              ElementsAre(StartsWith("! the edge a - x names x, who is not a member"),
                          "! the edge b - a is written twice: remove one", "! d has an edge to itself: remove it"));
}

TEST(CheckConsortium, NotConnected) {
  Consortium c = test_consortium();
  c.edges = {{"a", "b"}, {"c", "d"}};
  c.settings.scheme = protocol::SchemeKind::kSum;
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! 2 of the 4 members cannot be reached from a, c for one")));
}

TEST(CheckConsortium, ASingleNeighbourIsSeenAloneUnlessItIsAllowedByName) {
  Consortium c = test_consortium();
  c.edges.pop_back();
  EXPECT_THAT(sentences(c),
              ElementsAre(StartsWith("! a has one neighbour only, b,"), HasSubstr("`allow_degree_one=d`")));
  c.allow_degree_one = {"a", "d"};
  EXPECT_THAT(sentences(c), IsEmpty());
  c.allow_degree_one = {};
  c.settings.scheme = protocol::SchemeKind::kSum;
  EXPECT_THAT(sentences(c), IsEmpty()) << "masked sums do not show a neighbour's part";
  c.allow_degree_one = {"x"};
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! allow_degree_one names x, who is not a member")));
  c = test_consortium();
  c.allow_degree_one = {"a"};
  EXPECT_THAT(sentences(c), ElementsAre("allow_degree_one names a, who has 2 neighbours: take it out"));
}

TEST(CheckConsortium, AnEdgeBetweenTwoThatDoNotListen) {
  Consortium c = test_consortium();
  c.members[0].address = std::nullopt;
  EXPECT_THAT(sentences(c), IsEmpty());
  c.members[1].address = std::nullopt;
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! neither a nor b listens")));
}

TEST(CheckConsortium, IdentitiesThatEndOrHaveNotBegun) {
  using std::chrono::days;
  const Consortium c = test_consortium();
  const auto end = c.members[0].identity.valid_until();
  EXPECT_THAT(sentences(c, end - days(31)), IsEmpty());
  EXPECT_THAT(sentences(c, end - days(30)),
              Contains("the identity of a ends on 2028-04-12, in 30 days: a types 'ppdnmf "
                       "identity renew' and sends the new .pub file"));
  EXPECT_THAT(sentences(c, end - days(30)), Not(Contains(StartsWith("!"))));
  EXPECT_THAT(
      sentences(c, end),
      Contains(StartsWith("! the identity of a ended on 2028-04-12, and today is 2028-04-12: unless this machine's "
                          "clock is wrong, a types 'ppdnmf identity renew'")));
  EXPECT_THAT(sentences(c, identity::kTestTime - days(2)),
              Contains(StartsWith("! the identity of a begins on 2026-03-14")));
}

TEST(CheckConsortium, RankAboveRows) {
  Consortium c = test_consortium();
  c.settings.rank = 101;
  EXPECT_THAT(sentences(c), ElementsAre("! rank 101 is above the 100 rows: choose `rank=100` or less"));
}

TEST(CheckConsortium, RowNamesThatDoNotNameTheRows) {
  Consortium c = test_consortium();
  c.rows = 3;
  c.settings.rank = 2;
  c.row_names = {"x", "y", "z"};
  EXPECT_THAT(sentences(c), IsEmpty());
  c.row_names = {"x", "y"};
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! there are 2 row names for 3 rows")));
  c.row_names = {"x", "y", "x"};
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! two rows are called 'x'")));
  c.row_names = {"x", "", ""};
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! a row has an empty name")));
  c.row_names = {"x", "y", std::string(129, 'z')};
  EXPECT_THAT(sentences(c), ElementsAre(HasSubstr("is longer than 128 bytes")));
}

TEST(CheckConsortium, StartsNeedTheSchemeSum) {
  Consortium c = test_consortium();
  c.settings.starts = 4;
  EXPECT_THAT(
      sentences(c),
      ElementsAre(HasSubstr("`starts=4` has no meaning for `scheme=hardened`: leave it out, or choose `scheme=sum`")));
  c.settings.scheme = protocol::SchemeKind::kSum;
  EXPECT_THAT(sentences(c), IsEmpty());
}

TEST(CheckConsortium, WhatIsForStudyOnly) {
  Consortium c = test_consortium();
  c.settings.cipher = protocol::CipherKind::kNone;
  c.settings.scheme = protocol::SchemeKind::kAsPrinted;
  c.settings.updates = nmf::Updates::kAsPrinted;
  c.settings.start = nmf::Start::kOnes;
  EXPECT_THAT(sentences(c),
              ElementsAre(HasSubstr("`cipher=paillier`"), StartsWith("! the scheme as printed is not private"),
                          HasSubstr("`updates=corrected`"), HasSubstr("`start=random`")));
  c.throw_away_seed = 1;
  for (Member& member : c.members) member.address->host = "127.0.0.1";
  for (std::size_t i = 0; i < 4; ++i) c.members[i].address->port = static_cast<std::uint16_t>(7000 + i);
  EXPECT_THAT(sentences(c), ElementsAre(HasSubstr("`cipher=paillier`")));
}

TEST(CheckConsortium, ThrowAwayRunsStayOnOneMachine) {
  Consortium c = test_consortium();
  c.throw_away_seed = 1;
  EXPECT_EQ(sentences(c).size(), 4U);
  EXPECT_THAT(sentences(c), Contains(HasSubstr("a listens at a.example:7443: take out [throw_away]")));
  c.members[0].address = std::nullopt;
  EXPECT_THAT(sentences(c), Contains(HasSubstr("a has no address")));
  c.members.clear();
  c.members.push_back(test_member("a", "127.0.0.1:1"));
  c.members.push_back(test_member("b", "127.0.0.1:2"));
  c.edges = {{"a", "b"}};
  c.allow_degree_one = {"a", "b"};
  EXPECT_THAT(sentences(c), IsEmpty()) << "two may study on one machine";
  c.members.pop_back();
  c.edges.clear();
  c.allow_degree_one.clear();
  EXPECT_THAT(sentences(c), ElementsAre(StartsWith("! there is 1 member")));
}

TEST(CheckConsortium, FewColumnsAreAllowedByNameAndNotForEverybody) {
  Consortium c = test_consortium();
  for (const int few : {0, 19}) {
    c.settings.min_columns = few;
    EXPECT_THAT(sentences(c), ElementsAre(HasSubstr("give `min_columns=20` or more, and `allow_few_columns=NAME`")));
  }
  c.settings.min_columns = 20;
  c.allow_few_columns = {"b"};
  EXPECT_THAT(sentences(c), IsEmpty());
  // Behind totals it is not one member's columns that count.
  c.settings.min_columns = 0;
  c.settings.scheme = protocol::SchemeKind::kSum;
  EXPECT_THAT(sentences(c), IsEmpty());
}

TEST(CheckConsortium, KeysAndBoundsThatCannotBe) {
  Consortium c = test_consortium();
  c.settings.key_bits = 1024;
  EXPECT_EQ(sentences(c).size(), 1U);
  c = test_consortium();
  c.settings.tolerance = 2;
  EXPECT_THAT(sentences(c), ElementsAre(HasSubstr("`tolerance`")));
  c = test_consortium();
  c.settings.n_max = std::int64_t{1} << 60U;
  EXPECT_THAT(sentences(c), ElementsAre(HasSubstr("`n_max=")));
}

TEST(CheckConsortium, GoingOnFromAnXIsAllowedByName) {
  Consortium c = test_consortium();
  c.start_from = Digest{1};
  EXPECT_THAT(sentences(c), ElementsAre(HasSubstr("`scheme=sum`"), HasSubstr("`allow_difference_of=NAME`")));
  c.settings.scheme = protocol::SchemeKind::kSum;
  c.allow_difference_of = {"lost"};
  EXPECT_THAT(sentences(c), IsEmpty());
  c.allow_difference_of = {"a"};
  EXPECT_THAT(sentences(c), ElementsAre(HasSubstr("it is for members that were lost")));
  c.allow_difference_of = {"lost"};
  c.start_from = std::nullopt;
  EXPECT_THAT(sentences(c), ElementsAre("allow_difference_of names lost, but the run starts anew: take it out"));
}

TEST(CheckedConsortium, IsMadeOfOnesWithoutRefusalsOnly) {
  const Consortium good = test_consortium();
  const auto checked = CheckedConsortium::create(good, identity::kTestTime);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->graph().edges().size(), 4U);
  EXPECT_EQ(checked->digest(), digest_of(good));
  EXPECT_EQ(checked->find(good.members[2].identity), AgentId{2});
  EXPECT_EQ(checked->find(identity::test_identity("c").public_identity()), std::nullopt)
      << "the same name with another key";
  Consortium bad = good;
  bad.settings.rank = 101;
  bad.settings.cipher = protocol::CipherKind::kNone;
  const auto refused = CheckedConsortium::create(bad, identity::kTestTime);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("(and 1 more)"));
}

TEST(PrivacyNotes, SayWhoCouldIsolateWhom) {
  Consortium c = test_consortium();
  const std::array trust = {HasSubstr("are exact"), HasSubstr("another program"), HasSubstr("can be subtracted")};
  auto checked = CheckedConsortium::create(c, identity::kTestTime);
  ASSERT_TRUE(checked);
  EXPECT_THAT(
      privacy_notes(c, checked->graph()),
      ElementsAre("To see the messages of a, b, c, d alone, a member needs 1 helper.", trust[0], trust[1], trust[2]));
  c.settings.scheme = protocol::SchemeKind::kSum;
  EXPECT_THAT(privacy_notes(c, checked->graph()),
              ElementsAre(HasSubstr("needs 2 helpers"), trust[0], trust[1], trust[2]));
  c.settings.scheme = protocol::SchemeKind::kHardened;
  c.members.pop_back();
  c.edges = {{"a", "b"}, {"b", "c"}, {"c", "a"}};
  checked = CheckedConsortium::create(c, identity::kTestTime);
  ASSERT_TRUE(checked);
  EXPECT_THAT(
      privacy_notes(c, checked->graph()),
      ElementsAre("To see the messages of a, b, c alone, a member needs 1 helper.", trust[0], trust[1], trust[2]));
}

TEST(PrivacyNotes, NameEverythingThatWasAllowed) {
  Consortium c = test_consortium();
  const auto checked = CheckedConsortium::create(c, identity::kTestTime);
  ASSERT_TRUE(checked);
  const std::size_t before = privacy_notes(c, checked->graph()).size();
  c.allow_degree_one = {"a"};
  c.allow_few_columns = {"b", "c"};
  c.allow_difference_of = {"e"};
  std::vector<std::string> notes = privacy_notes(c, checked->graph());
  notes.erase(notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(before));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("allow_degree_one: a may"), HasSubstr("allow_few_columns: b, c may"),
                                 HasSubstr("although the run starts anew, every member learns, as a difference of two "
                                           "runs, how many columns e had")));
  c.start_from = Digest{};
  notes = privacy_notes(c, checked->graph());
  EXPECT_THAT(notes[notes.size() - 2], HasSubstr("can compute, going on from that run's X, the part that e"));
  EXPECT_THAT(notes.back(), HasSubstr("how many columns e had, the sum of their entries and their norm"));
}

}  // namespace
}  // namespace ppdnmf::consortium
