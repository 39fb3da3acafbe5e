#include <ppdnmf/consortium/columns.h>

#include <gtest/gtest.h>

#include <ppdnmf/consortium/test_consortium.h>
#include <ppdnmf/data/dense.h>

namespace ppdnmf::consortium {
namespace {

CheckedConsortium checked(protocol::SchemeKind scheme, std::vector<std::string> allowed) {
  Consortium c = test_consortium();
  c.settings.scheme = scheme;
  c.allow_few_columns = std::move(allowed);
  auto result = CheckedConsortium::create(std::move(c), identity::kTestTime);
  EXPECT_TRUE(result);
  return *std::move(result);
}

TEST(Columns, AMemberWithFewIsRefusedUnlessItIsAllowedByName) {
  const CheckedConsortium nobody = checked(protocol::SchemeKind::kHardened, {});
  EXPECT_FALSE(check_columns(nobody, AgentId{1}, 19, 19));
  EXPECT_TRUE(check_columns(nobody, AgentId{1}, 20, 20));
  const CheckedConsortium b = checked(protocol::SchemeKind::kHardened, {"b"});
  EXPECT_TRUE(check_columns(b, AgentId{1}, 1, 1));
  EXPECT_FALSE(check_columns(b, AgentId{2}, 1, 1)) << "c was not allowed";
}

// Known before anything is sent, and not after the first sum.
TEST(Columns, FewerThanTheRankAreRefusedBeforeTheRun) {
  Consortium c = test_consortium();
  c.settings.rank = 30;
  const auto consortium = CheckedConsortium::create(c, identity::kTestTime);
  ASSERT_TRUE(consortium);
  EXPECT_TRUE(check_columns(*consortium, AgentId{0}, 30));
  const Status few = check_columns(*consortium, AgentId{0}, 25);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code, ErrorCode::kInvalidData);
  EXPECT_NE(few.error().message.find("25 columns, and fewer than 30"), std::string::npos) << few.error().message;
}

TEST(Columns, WhatOthersHaveIsNotAskedBeforeItIsKnown) {
  EXPECT_TRUE(check_columns(checked(protocol::SchemeKind::kSum, {}), AgentId{0}, 1));
  EXPECT_FALSE(check_columns(checked(protocol::SchemeKind::kSum, {}), AgentId{0}, 1, 1));
}

TEST(Columns, NobodyTakesPartWithoutAny) {
  EXPECT_FALSE(check_columns(checked(protocol::SchemeKind::kHardened, {"a"}), AgentId{0}, 0));
  EXPECT_FALSE(check_columns(checked(protocol::SchemeKind::kSum, {}), AgentId{0}, 0));
}

TEST(Columns, BehindATotalItIsTheOthersThatMustAllowIt) {
  const CheckedConsortium nobody = checked(protocol::SchemeKind::kSum, {});
  const Index enough = std::max<Index>(40, 2 * nobody.content().rows);
  EXPECT_TRUE(check_columns(nobody, AgentId{0}, 1, 1 + enough));
  EXPECT_FALSE(check_columns(nobody, AgentId{0}, 2, 1 + enough));
  EXPECT_FALSE(check_columns(checked(protocol::SchemeKind::kSum, {"a", "b", "c"}), AgentId{0}, 5, 6)) << "d did not";
  EXPECT_TRUE(check_columns(checked(protocol::SchemeKind::kSum, {"b", "c", "d"}), AgentId{0}, 5, 6));
}

TEST(Columns, ExactTotalsNeedACrowdUnlessTheMemberIsAllowedByName) {
  Matrix Z = Matrix::Ones(100, 60);
  const std::vector<std::string> names(100, "row");
  const auto crowd = [&](protocol::SchemeKind scheme, std::vector<std::string> allowed) {
    return check_crowd(checked(scheme, std::move(allowed)), AgentId{1}, data::view(Z), names);
  };
  EXPECT_TRUE(crowd(protocol::SchemeKind::kSum, {}));
  Z.row(7).rightCols(59).setZero();
  const Status refused = crowd(protocol::SchemeKind::kSum, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidData);
  EXPECT_NE(refused.error().message.find("Nothing was sent"), std::string::npos) << refused.error().message;
  EXPECT_TRUE(crowd(protocol::SchemeKind::kSum, {"b"}));
  EXPECT_FALSE(crowd(protocol::SchemeKind::kSum, {"c"}));
  EXPECT_FALSE(crowd(protocol::SchemeKind::kHardened, {})) << "its last X tells of a row of few columns";
}

}  // namespace
}  // namespace ppdnmf::consortium
