#include <ppdnmf/consortium/approval.h>

#include <ppdnmf/consortium/test_consortium.h>

namespace ppdnmf::consortium {
namespace {

using ::testing::HasSubstr;

class Approve : public ::testing::Test {
 protected:
  void SetUp() override {
    content_ = test_consortium();
    content_.members[0].steward = steward_.public_identity();
    data_.values = Matrix::Constant(100, 30, 2.0);
    approval_.consortium = digest_of(content_);
    approval_.member = "a";
    approval_.steward = "keeper";
    approval_.salt = Digest{5};
    approval_.data = approved_digest(approval_.salt, data_, {});
    approval_.columns = 30;
    approval_.until = std::chrono::floor<std::chrono::days>(identity::kTestTime) + std::chrono::days(3);
  }
  [[nodiscard]] Approval sealed() const { return parse_approval(sign_approval(approval_, steward_)).value(); }
  [[nodiscard]] std::string refusal(const Approval& approval, std::chrono::days later = std::chrono::days(0)) const {
    const auto consortium = CheckedConsortium::create(content_, identity::kTestTime);
    EXPECT_TRUE(consortium) << consortium.error().message;
    const auto checked =
        check_approval(approval, *consortium, AgentId{0}, data_, persons_, identity::kTestTime + later);
    if (checked) return "approved";
    EXPECT_EQ(checked.error().code, ErrorCode::kUsage);
    return checked.error().message;
  }

  identity::PrivateIdentity steward_ = identity::test_identity("keeper");
  Consortium content_;
  io::Table data_;
  std::vector<std::string> persons_;
  Approval approval_;
};

TEST_F(Approve, AYesToTheseDataInThisFileIsAYesUntilItsLastDay) {
  EXPECT_EQ(refusal(sealed()), "approved");
  EXPECT_EQ(refusal(sealed(), std::chrono::days(3)), "approved");
  EXPECT_THAT(refusal(sealed(), std::chrono::days(4)), HasSubstr("the approval ended on 2026-03-18; nothing was sent"));
}

TEST_F(Approve, AnotherFileIsRefusedWithBothDigits) {
  const Approval before = sealed();
  content_.settings.rank = 6;
  EXPECT_THAT(refusal(before), HasSubstr("the approval is for another file: its digits are"));
}

TEST_F(Approve, OneOtherEntryOrOtherPersonsAreOtherData) {
  persons_ = std::vector<std::string>(30, "p");
  EXPECT_THAT(refusal(sealed()), HasSubstr("other data than these"));
  persons_.clear();
  data_.values(99, 29) += 1e-9;
  EXPECT_THAT(refusal(sealed()), HasSubstr("other data than these"));
}

TEST_F(Approve, DataKeptByTheirNonzerosAreTheSameData) {
  data_.values.setZero();
  data_.values(3, 0) = 2;
  data_.values(7, 0) = 1;
  data_.values(99, 29) = 5;
  approval_.data = approved_digest(approval_.salt, data_, {});
  data_.nonzeros = data::nonzeros_of(*data_.view());
  data_.values.resize(0, 0);
  EXPECT_EQ(refusal(sealed()), "approved");
  data_.nonzeros->value[1] += 1e-9;
  EXPECT_THAT(refusal(sealed()), HasSubstr("other data than these"));
}

TEST_F(Approve, ANoisyBudgetDoesNotAllowExactTotals) {
  approval_.epsilon = 4;
  EXPECT_THAT(refusal(sealed()), HasSubstr("another budget: this run opens exact totals"));
}

TEST_F(Approve, AnotherMembersApprovalAndAnotherStewardsAreRefused) {
  approval_.member = "b";
  EXPECT_THAT(refusal(sealed()), HasSubstr("the approval is for b, not for a"));
  approval_.member = "a";
  const identity::PrivateIdentity other = identity::test_identity("keeper");  // the name is right
  EXPECT_THAT(refusal(parse_approval(sign_approval(approval_, other)).value()), HasSubstr("not signed by keeper"));
}

TEST_F(Approve, EveryChangedByteIsRefused) {
  const std::string whole = sign_approval(approval_, steward_);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    const auto parsed = parse_approval(changed);
    EXPECT_TRUE(!parsed || !is_signed_by(*parsed, steward_.public_identity())) << "byte " << i;
    EXPECT_FALSE(parse_approval(whole.substr(0, i))) << "cut after " << i;
  }
}

TEST_F(Approve, TheDigestDependsOnTheSalt) {
  EXPECT_NE(approved_digest(Digest{1}, data_, {}), approved_digest(Digest{2}, data_, {}));
}

TEST_F(Approve, WordsNameEverybodyTheDataTheBudgetAndTheDay) {
  const auto consortium = CheckedConsortium::create(content_, identity::kTestTime);
  std::string all;
  for (const std::string& sentence : approval_words(sealed(), *consortium)) all += sentence + "\n";
  EXPECT_THAT(all, HasSubstr("keeper approves that a takes part in one analysis together with b, c, d."));
  EXPECT_THAT(all, HasSubstr("30 columns of 100 rows"));
  EXPECT_THAT(all, HasSubstr("Exact totals over all members may be opened"));
  EXPECT_THAT(all, HasSubstr("until the end of 2026-03-18 (UTC), for every run with these digits"));
  approval_.epsilon = 4;
  EXPECT_THAT(approval_words(sealed(), *consortium),
              ::testing::Contains(HasSubstr("epsilon 4 at most, and every further one spends it again")));
}

// The steward is part of what all members see and compare.
TEST_F(Approve, TheFileKeepsTheStewardAndItsDigitsDependOnIt) {
  const auto parsed = parse_consortium(write_consortium(content_));
  ASSERT_TRUE(parsed) << parsed.error().message;
  ASSERT_TRUE(parsed->members[0].steward);
  EXPECT_TRUE(*parsed->members[0].steward == steward_.public_identity());
  EXPECT_FALSE(parsed->members[1].steward);
  EXPECT_EQ(digest_of(*parsed), digest_of(content_));
  Consortium without = content_;
  without.members[0].steward.reset();
  EXPECT_NE(digest_of(without), digest_of(content_));
  Consortium elsewhere = without;
  elsewhere.members[1].steward = steward_.public_identity();
  EXPECT_NE(digest_of(elsewhere), digest_of(content_));
}

TEST_F(Approve, AMemberIsNotItsOwnSteward) {
  content_.members[1].steward = content_.members[1].identity;
  EXPECT_THAT(sentences(content_).front(), HasSubstr("b is its own steward"));
}

}  // namespace
}  // namespace ppdnmf::consortium
