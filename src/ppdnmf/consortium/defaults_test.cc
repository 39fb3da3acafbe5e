// What holds between organisations unless their members say something else.
#include <ppdnmf/consortium/defaults.h>

#include <functional>

#include <ppdnmf/consortium/test_consortium.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/trust.h>

namespace ppdnmf::consortium {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

protocol::Settings stated(std::int64_t columns) {
  protocol::Settings out;
  out.rank = 5;
  out.columns = columns;
  return out;
}

TEST(PrivateByDefault, ANewFileHasAnEpsilonADeltaAndColumnsOfLengthOne) {
  const auto made = private_by_default(stated(5000));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->epsilon, 4);
  EXPECT_EQ(made->delta, 1e-6);
  EXPECT_EQ(made->normalise, nmf::ColumnNorm::kL2);
  EXPECT_FALSE(made->trust_members);
  EXPECT_EQ(private_by_default(stated(4'000'000))->delta, 0.1 / 4'000'000);
}

TEST(PrivateByDefault, WhatWasGivenStays) {
  protocol::Settings given = stated(5000);
  given.epsilon = 1;
  given.delta = 1e-9;
  given.normalise = nmf::ColumnNorm::kL1;
  EXPECT_EQ(*private_by_default(given), given);
  protocol::Settings trusting;
  trusting.trust_members = true;
  EXPECT_EQ(*private_by_default(trusting), trusting);
}

TEST(PrivateByDefault, TheNumberOfColumnsIsSaidWithOneDigit) {
  for (const auto& [said, kept] : {std::pair<std::int64_t, std::int64_t>{1, 1},
                                   {9, 9},
                                   {10, 10},
                                   {14, 10},
                                   {15, 20},
                                   {95, 100},
                                   {1234, 1000},
                                   {14'675, 10'000},
                                   {15'000, 20'000},
                                   {99'999, 100'000}}) {
    EXPECT_EQ(one_digit(said), kept) << said;
    EXPECT_EQ(private_by_default(stated(said))->columns, kept);
  }
}

TEST(PrivateByDefault, NobodyIsAskedForTrustInsteadOfAPrivateRun) {
  const std::vector<std::function<void(protocol::Settings&)>> wrong = {
      [](auto& s) { s.columns.reset(); },  [](auto& s) { s.columns = 0; },      [](auto& s) { s.starts = 3; },
      [](auto& s) { s.tolerance = 1e-4; }, [](auto& s) { s.epsilon = 1e-3; },   [](auto& s) { s.columns = 4; },
      [](auto& s) { s.delta = 0.5; },      [](auto& s) { s.assume_honest = 9; }};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    Consortium c = test_consortium();
    c.settings = stated(5000);
    wrong[i](c.settings);
    auto made = private_by_default(c.settings);
    std::string said = made ? "" : made.error().message;
    if (made) {
      c.settings = *made;
      for (const std::string& sentence : sentences(c)) said += sentence;
    }
    EXPECT_THAT(said, AllOf(Not(IsEmpty()), Not(HasSubstr("trust")))) << i;
  }
  // An earlier X, too.
  Consortium c = test_consortium();
  c.settings = *private_by_default(stated(5000));
  c.start_from = Digest{1};
  EXPECT_THAT(sentences(c), AllOf(Not(IsEmpty()), Not(Contains(HasSubstr("trust")))));
}

TEST(PrivateByDefault, SumsBetweenNeighboursAreForMembersWhoTrustEachOther) {
  protocol::Settings hardened = stated(5000);
  hardened.columns.reset();
  hardened.scheme = protocol::SchemeKind::kHardened;
  EXPECT_THAT(private_by_default(hardened).error().message, HasSubstr("`trust_members`"));
  protocol::Settings implied = stated(5000);
  implied.columns.reset();
  implied.admm_y = 30;
  EXPECT_THAT(private_by_default(implied).error().message, StartsWith("`admm_y=30` belongs to `scheme=hardened`"));
}

TEST(TrustMembers, ExactTotalsAreRefusedWithoutIt) {
  for (const protocol::SchemeKind scheme : {protocol::SchemeKind::kSum, protocol::SchemeKind::kHardened}) {
    Consortium c = test_consortium();
    c.settings.scheme = scheme;
    EXPECT_THAT(sentences(c), IsEmpty());
    c.settings.trust_members = false;
    EXPECT_THAT(sentences(c),
                ElementsAre(AllOf(StartsWith("! the file opens exact totals"), HasSubstr("consortium new"))));
  }
}

TEST(TrustMembers, IsPartOfTheDigitsAndSaysWhatCouldBeRead) {
  Consortium c = test_consortium();
  c.settings.scheme = protocol::SchemeKind::kSum;
  const auto checked = CheckedConsortium::create(c, identity::kTestTime);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_THAT(privacy_notes(c, checked->graph()),
              Contains(AllOf(HasSubstr("read columns of the others exactly"), HasSubstr("about eight"))));
  EXPECT_THAT(privacy_notes(c, checked->graph()),
              Contains(AllOf(HasSubstr("can be subtracted"), HasSubstr("how many columns that member has"))));
  protocol::Settings moments = c.settings;
  moments.scheme = protocol::SchemeKind::kMoments;
  EXPECT_THAT(protocol::trust_notes(moments),
              Contains(AllOf(HasSubstr("can be subtracted"), HasSubstr("that very column"))));
  EXPECT_THAT(write_consortium(c), HasSubstr("\ntrust_members = true\n"));
  Consortium other = c;
  other.settings.trust_members = false;
  EXPECT_NE(digest_of(c), digest_of(other));
  // Members of a file that lacks the entry were never asked.
  std::string text = write_consortium(c);
  text.replace(text.find("trust_members = true\n"), 21, "");
  EXPECT_THAT(parse_consortium(text).error().message, HasSubstr("lacks the entry 'trust_members'"));
}

TEST(TrustMembers, HasNoMeaningBesideAnEpsilon) {
  protocol::Settings s = *private_by_default(stated(5000));
  s.trust_members = true;
  EXPECT_THAT(protocol::validate(s).error().message, HasSubstr("leave out `trust_members`"));
  s.trust_members = false;
  EXPECT_THAT(protocol::trust_notes(s), IsEmpty());
}

}  // namespace
}  // namespace ppdnmf::consortium
