#include <ppdnmf/logbook/verify.h>

#include <ppdnmf/logbook/test_logs.h>

namespace ppdnmf::logbook {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Verify : public Logs {};

TEST_F(Verify, LogsOfAnHonestRunAgree) {
  one_sum(0);
  one_sum(1);
  tell("a", "b", "query", (std::int64_t{2} << 32) + 1, 6);
  sign_all();
  EXPECT_THAT(verdict({"a", "b", "c", "d"}), IsEmpty());
  EXPECT_THAT(verdict({"c", "d"}), IsEmpty());
  EXPECT_THAT(verdict({"b"}), IsEmpty());
}

// b's own log is not there, or it lies: the two signatures are enough.
TEST_F(Verify, WhoToldTwoMembersDifferentTotalsIsNamed) {
  one_sum(0);
  tell("a", "b", "total", 1, 4);
  tell("b", "c", "total", 1, 4);
  says_sent("b", "d", "total", 1, 4);
  says_received("b", "d", "total", 1, 8, "b");
  sign_all();
  EXPECT_THAT(verdict({"c", "d"}), ElementsAre("b told c and d different totals: total 1"));
  EXPECT_THAT(verdict({"a", "b", "c", "d"}), ::testing::Contains("b told c and d different totals: total 1"));
  EXPECT_THAT(verdict({"a", "b", "c", "d"}),
              ::testing::Contains("the log of b says that it sent d something else than it signed: total 1"));
  for (const std::string& sentence : verdict({"a", "b", "c", "d"})) {
    EXPECT_THAT(sentence, ::testing::MatchesRegex("(b|the log of b) .*")) << "nobody else is to blame";
  }
}

TEST_F(Verify, WhoPassesOnAnotherTotalThanItWasGivenIsNamed) {
  tell("a", "b", "total", 0, 4);
  tell("b", "c", "total", 0, 8);
  tell("b", "d", "total", 0, 8);
  sign_all();
  EXPECT_THAT(verdict({"b", "c"}),
              ::testing::UnorderedElementsAre("b was told one total by a and told d another: total 0",
                                              "b was told one total by a and told c another: total 0"));
  for (const std::string& sentence : verdict({"a", "b", "c", "d"}))
    EXPECT_THAT(sentence, ::testing::StartsWith("b was"));
}

TEST_F(Verify, WhoSaysThatItWasToldSomethingNeedsTheSignature) {
  says_sent("a", "b", "total", 0, 4);
  says_received("a", "b", "total", 0, 8, "b");  // b signs for a
  sign_all();
  EXPECT_THAT(verdict({"a", "b"}).front(), HasSubstr("b says that a sent it total 0, but a has not signed that"));
}

TEST_F(Verify, WhoLeavesOutWhatItSignedIsNamed) {
  says_received("a", "b", "total", 0, 4, "a");
  sign_all();
  EXPECT_THAT(verdict({"a", "b"}), ElementsAre("the log of a leaves out what it signed: total 0 to b"));
}

// Every process signs at its end, so that what is left looks like the log of a run that ended there.
TEST_F(Verify, WhoCutsOffWhatFollowsAnEarlierSignatureIsNamedByTheOthersLogs) {
  one_sum(0);
  sign_all();
  const std::string before = text("b");
  one_sum(1);
  sign_all();
  std::filesystem::resize_file(path("b"), before.size());
  EXPECT_THAT(verdict({"b"}), IsEmpty());
  EXPECT_THAT(verdict({"a", "b"}), ElementsAre("the log of b leaves out what it signed: part 1 to a"));
  EXPECT_THAT(verdict({"b", "c", "d"}),
              ::testing::UnorderedElementsAre("the log of b leaves out what it signed: total 1 to c",
                                              "the log of b leaves out what it signed: total 1 to d"));
}

TEST_F(Verify, OfOtherMessagesBothEndsAreNamed) {
  says_sent("a", "b", "query", (std::int64_t{1} << 32) + 2, 4);
  says_received("a", "b", "query", (std::int64_t{1} << 32) + 2, 5, "a");
  says_received("c", "d", "hello", 0, 5, "c");
  sign_all();
  EXPECT_THAT(verdict({"a", "b"}),
              ElementsAre("a and b do not agree on what a said to b: query 1.2; one of the two logs "
                          "is not true"));
  EXPECT_THAT(verdict({"c", "d"}),
              ElementsAre("d says that it received hello from c, whose log knows nothing of it: one "
                          "of the two logs is not true"));
}

TEST_F(Verify, AMessageThatNeverCameContradictsNobody) {
  says_sent("a", "b", "total", 0, 4);
  sign_all();
  EXPECT_THAT(verdict({"a", "b"}), IsEmpty());
}

TEST_F(Verify, OtherTotalsThanTheOthersAreSaid) {
  opens("a", 1, 4);
  opens("b", 1, 4);
  opens("c", 1, 5);
  sign_all();
  EXPECT_THAT(verdict({"a", "b", "c"}), ElementsAre("from total 0 on a and c went on with different totals"));
}

TEST_F(Verify, LogsOfDifferentRunsAreNotCompared) {
  std::filesystem::create_directory(folder_ / "x");
  auto book = Logbook::open(folder_ / "x", subject("c", Digest{8}), identity::kTestTime);
  ASSERT_TRUE(book);
  ASSERT_TRUE(book->sign(identities_.at("c"), identity::kTestTime));
  sign_all();
  EXPECT_THAT(verdict({"a", "x"}),
              ElementsAre("a and c had different consortium files: these are not logs of one run"));
  note("b", Entry(kRun).with("digest", hex(Digest{3})));
  ASSERT_TRUE(books_.at("b").sign(identities_.at("b"), identity::kTestTime));
  EXPECT_THAT(verdict({"b"}).front(), HasSubstr("is of another run than the lines before"));
}

}  // namespace
}  // namespace ppdnmf::logbook
