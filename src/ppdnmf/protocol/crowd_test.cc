#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <ppdnmf/base/random.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/protocol/crowd.h>
#include <ppdnmf/protocol/own_columns.h>

namespace ppdnmf::protocol {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Forty columns, much alike.
Matrix alike(Index columns = 40) {
  Stream stream(Seed::from_number(1), 'z');
  Matrix Z(6, columns);
  for (Index t = 0; t < Z.size(); ++t) Z.data()[t] = 1 + stream.uniform();
  return Z;
}

// Row 2 at three columns alone.
Matrix with_thin_row() {
  Matrix Z = alike();
  Z.row(2).setZero();
  Z(2, 4) = Z(2, 5) = Z(2, 30) = 1;
  return Z;
}

RunSettings exact(CrowdKind crowd) {
  RunSettings settings;
  settings.rows = 6;
  settings.crowd = crowd;
  return settings;
}

TEST(Crowd, ColumnsMuchAlikeHaveOneAndStayAsTheyAre) {
  const Matrix Z = alike();
  const data::SharedColumns columns = data::view(Z);
  EXPECT_TRUE(look_at_crowd(*columns).enough());
  EXPECT_EQ(with_crowd(columns).value(), columns);
}

TEST(Crowd, ARowThatNobodyHasIsNoRareOne) {
  Matrix Z = alike();
  Z.row(2).setZero();
  EXPECT_TRUE(look_at_crowd(*data::view(Z)).enough());
}

TEST(Crowd, RowsOfFewColumnsAreThin) {
  Matrix Z = with_thin_row();
  EXPECT_THAT(look_at_crowd(*data::view(Z)).thin, ElementsAre(2));
  for (Index m = 10; m < 17; ++m) Z(2, m) = 1;
  EXPECT_TRUE(look_at_crowd(*data::view(Z)).thin.empty()) << "ten columns are enough";
}

TEST(Crowd, AColumnMayHaveATenthOfARowAndATwentiethOfTheNormAndNoMore) {
  Matrix Z = Matrix::Ones(3, 20);
  EXPECT_TRUE(look_at_crowd(*data::view(Z)).enough()) << "twenty columns that are all the same";
  EXPECT_THAT(look_at_crowd(*data::own(Matrix::Ones(3, 19))).large, ::testing::SizeIs(19));
  Z = alike();
  Z(1, 7) = 12;
  EXPECT_THAT(look_at_crowd(*data::view(Z)).led, ElementsAre(1));
  Z = alike();
  Z.col(7) *= 4;
  EXPECT_THAT(look_at_crowd(*data::view(Z)).large, ElementsAre(7));
}

TEST(Crowd, BlankedAndLoweredColumnsKeepToTheRule) {
  Matrix Z = with_thin_row();
  Z(1, 7) = 50;
  Z.col(20) *= 30;
  Z(0, 3) = 1000;
  const data::SharedColumns crowded = with_crowd(data::view(Z)).value();
  EXPECT_TRUE(look_at_crowd(*crowded).enough());
  data::Scratch scratch;
  const data::Block block = crowded->lend({0, 40}, scratch);
  const Eigen::Map<const Matrix> made(block.values, 6, 40);
  EXPECT_EQ(made.row(2).maxCoeff(), 0);
  EXPECT_TRUE((made.array() <= Z.array()).all());
  EXPECT_EQ(made.col(10), [&] {
    Matrix column = Z.col(10);
    column(2) = 0;
    return column;
  }()) << "a column that does not stand out stays";
}

TEST(Crowd, CoordinatesOfLoweredColumnsComeInUnitsOfTheData) {
  Matrix Z = alike();
  Z.col(20) *= 30;
  const data::SharedColumns crowded = with_crowd(data::view(Z)).value();
  data::Scratch scratch;
  const double factor = Z(3, 20) / crowded->lend({20, 1}, scratch).values[3];
  EXPECT_GT(factor, 2);
  Matrix Y = Matrix::Ones(2, 40);
  crowded->restore_units(Y);
  EXPECT_NEAR(Y(0, 20), factor, 1e-12 * factor);
  EXPECT_EQ(Y(0, 19), 1);
}

TEST(Crowd, ThinRowsAreToBeDroppedAndLedOnesLowered) {
  Matrix Z = with_thin_row();
  Z(1, 7) = 50;
  EXPECT_THAT(rows_to_drop(*data::view(Z)), ElementsAre(2));
  const RunSettings settings = exact(CrowdKind::kDrop);
  const data::SharedColumns own = own_columns(data::view(Z), settings).value();
  EXPECT_THAT(rows_to_drop(own, settings), ElementsAre(2));
  const data::SharedColumns left = without_rows(own, {2, 4}, settings).value();
  EXPECT_TRUE(look_at_crowd(*left).enough());
  data::Scratch scratch;
  const data::Block block = left->lend({0, 40}, scratch);
  const Eigen::Map<const Matrix> made(block.values, 6, 40);
  EXPECT_EQ(made.row(2).maxCoeff(), 0);
  EXPECT_EQ(made.row(4).maxCoeff(), 0) << "another agent wanted it";
  EXPECT_EQ(made(3, 10), Z(3, 10)) << "a column that does not stand out stays";
  Matrix other = alike();
  EXPECT_THAT(rows_dropped_for_all({data::view(other), data::view(Z)}, settings), ElementsAre(2));
  EXPECT_TRUE(rows_dropped_for_all({data::view(Z)}, exact(CrowdKind::kBlank)).empty());
  EXPECT_EQ(dropped_list({0, 2}, {"a", "b", "c"}), "a, c");
  EXPECT_THAT(dropped_note({1}, {}), HasSubstr("Row 2 was dropped for all agents"));
}

// Row 2 is there in three columns alone, and zero in these.
Matrix with_seldom_row() {
  Matrix Z = alike();
  Z.row(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  Z(2, 4) = Z(2, 5) = Z(2, 30) = 0;
  return Z;
}

// Where entries are missing a zero that is there adds (X y)_l y to what everybody learns (nmf/gaps_test.cc).
TEST(Crowd, ARowThatFewColumnsHaveIsThinAlthoughItIsZeroInThese) {
  Matrix Z = with_seldom_row();
  EXPECT_THAT(look_at_crowd(*data::gappy_view(Z)).thin, ElementsAre(2));
  for (Index m = 10; m < 17; ++m) Z(2, m) = 0;
  EXPECT_TRUE(look_at_crowd(*data::gappy_view(Z)).enough()) << "ten columns are enough";
  Z.row(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(look_at_crowd(*data::gappy_view(Z)).enough()) << "nobody has it";
}

TEST(Crowd, ARowThatFewColumnsHaveIsMissingAfterwards) {
  Matrix Z = with_seldom_row();
  Z(2, 30) = 7;
  Z(3, 30) = std::numeric_limits<double>::quiet_NaN();
  const data::SharedColumns own = data::gappy_view(Z);
  for (const data::SharedColumns& crowded : {with_crowd(own).value(), without_rows(own, {2}).value()}) {
    EXPECT_TRUE(look_at_crowd(*crowded).enough());
    EXPECT_THAT(data::present_counts(*crowded), ElementsAre(40, 40, 0, 39, 40, 40));
    EXPECT_THAT(crowded->gaps({30, 1}).of(0), ElementsAre(2, 3));
    EXPECT_EQ(data::dense_of(*crowded).row(2).maxCoeff(), 0);
  }
}

TEST(Crowd, TooFewColumnsHaveNone) {
  EXPECT_FALSE(look_at_crowd(*data::own(alike(9))).enough());
  const auto made = with_crowd(data::own(alike(9)));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("too little of these data would be left"));
}

TEST(Crowd, CellsNeedOneWhereTheyAreOpened) {
  Matrix Z = alike();
  Z.row(1).leftCols(16).setZero();
  Z.row(2).rightCols(20).setZero();  // four columns have both
  CrowdRule rule;
  rule.norm_part = 0.1;  // so that cells are all that is against the rule
  EXPECT_TRUE(look_at_crowd(*data::view(Z), rule).enough());
  rule.cells = true;
  EXPECT_THAT(look_at_crowd(*data::view(Z), rule).cells, ElementsAre(std::pair<Index, Index>(1, 2)));
  Z(3, 30) = Z(4, 30) = 3.5;
  EXPECT_GT(look_at_crowd(*data::view(Z), rule).cells.size(), 1U) << "one column leads";
  EXPECT_TRUE(look_at_crowd(*with_crowd(data::view(Z), rule).value(), rule).enough());
}

// Two kinds of columns, and one with two rows for itself of which the others have little: within every rule on rows and
// norm.
Matrix with_unlike_column() {
  Stream stream(Seed::from_number(2), 'z');
  Matrix Z(8, 60);
  for (Index m = 0; m < 60; ++m) {
    const double kind = stream.uniform();
    for (Index l = 0; l < 8; ++l) Z(l, m) = (l < 3 ? kind : l < 6 ? 1 - kind : 0.1) + 0.02 * stream.uniform();
  }
  Z.col(9) << 0, 0, 0, 0, 0, 0, 0.5, 0.3;
  return Z;
}

CrowdRule of_rank(Index rank) {
  CrowdRule rule;
  rule.directions = rank;
  return rule;
}

TEST(Crowd, AColumnLikeHardlyAnyOtherHasNoneAlthoughRowsAndNormHave) {
  const Matrix Z = with_unlike_column();
  EXPECT_TRUE(look_at_crowd(*data::view(Z)).enough());
  EXPECT_TRUE(look_at_crowd(*data::view(Z), of_rank(1)).enough()) << "X has no component for it";
  const Crowd crowd = look_at_crowd(*data::view(Z), of_rank(3));
  ASSERT_THAT(crowd.unlike, ::testing::SizeIs(1));
  EXPECT_EQ(crowd.unlike.front().first, 9);
  EXPECT_GT(crowd.unlike.front().second, 0.8);
  EXPECT_THAT(describe(crowd, of_rank(3), {}), HasSubstr("1 column is like hardly any other"));
}

TEST(Crowd, AColumnLikeHardlyAnyOtherIsLoweredUntilItLeadsNothing) {
  const Matrix Z = with_unlike_column();
  const data::SharedColumns crowded = with_crowd(data::view(Z), of_rank(3)).value();
  EXPECT_TRUE(look_at_crowd(*crowded, of_rank(3)).enough());
  const Matrix made = data::dense_of(*crowded);
  EXPECT_LT(made.col(9).norm(), 0.5 * Z.col(9).norm());
  EXPECT_EQ(made.leftCols(9), Z.leftCols(9)) << "columns that are like others stay";
  Matrix Y = Matrix::Ones(3, 60);
  crowded->restore_units(Y);
  EXPECT_NEAR(Y(0, 9) * made.col(9).norm(), Z.col(9).norm(), 1e-9);
}

TEST(Crowd, AColumnThatNoOtherIsLikeAtAllGoes) {
  Matrix Z = with_unlike_column();
  Z.bottomRows(2).setZero();
  Z.row(6).leftCols(30).setConstant(1e-6);  // not thin
  Z.col(9) << 0, 0, 0, 0, 0, 0, 1, 0;
  CrowdRule rule = of_rank(3);
  rule.part = 1;
  const data::SharedColumns crowded = with_crowd(data::view(Z), rule).value();
  EXPECT_EQ(data::dense_of(*crowded).col(9).norm(), 0);
  Matrix Y = Matrix::Zero(3, 60);
  crowded->restore_units(Y);
  EXPECT_TRUE(Y.allFinite());
}

TEST(Crowd, FewColumnsAreAskedForNoMoreDirectionsThanAFifthOfTheirNumber) {
  const Matrix Z = alike(24);
  CrowdRule rule = of_rank(24);
  rule.norm_part = 1;
  EXPECT_TRUE(look_at_crowd(*data::view(Z), rule).enough()) << "of 24 directions every column would have one";
  rule.direction_part = 0.05;
  EXPECT_THAT(with_crowd(data::view(Z), rule).error().message, HasSubstr("agree on fewer components"));
}

TEST(OwnColumns, ASearchAsksForNoDirections) {
  const data::SharedColumns columns = data::own(with_unlike_column());
  RunSettings settings = exact(CrowdKind::kRefuse);
  settings.least_rank = 2;
  settings.rank = 3;
  settings.starts = 10;
  const Status checked = check_crowd(columns, settings, {});
  EXPECT_TRUE(checked || checked.error().message.find("like hardly any other") == std::string::npos);
}

TEST(OwnColumns, ARunAsksForDirectionsAsManyAsItHasComponents) {
  const data::SharedColumns columns = data::own(with_unlike_column());
  RunSettings settings = exact(CrowdKind::kRefuse);
  settings.rank = 3;
  EXPECT_THAT(check_crowd(columns, settings, {}).error().message, HasSubstr("like hardly any other"));
  settings.rank = 1;
  EXPECT_TRUE(check_crowd(columns, settings, {}));
}

TEST(OwnColumns, ExactTotalsAreRefusedWithoutACrowdAndTheSentenceNamesTheRow) {
  const data::SharedColumns columns = data::own(with_thin_row());
  const Status refused = check_crowd(columns, exact(CrowdKind::kRefuse), {"a", "b", "the rare one", "d", "e", "f"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("fewer than 10 columns have row the rare one"));
  EXPECT_TRUE(check_crowd(columns, exact(CrowdKind::kBlank), {}));
  EXPECT_TRUE(check_crowd(columns, exact(CrowdKind::kDrop), {}));
  EXPECT_TRUE(check_crowd(columns, exact(CrowdKind::kOff), {}));
  EXPECT_TRUE(check_crowd(data::own(alike()), exact(CrowdKind::kRefuse), {}));
}

TEST(OwnColumns, ExactMomentsNeedACrowdInEveryCell) {
  Matrix Z = alike();
  Z.row(1).leftCols(16).setZero();
  Z.row(2).rightCols(20).setZero();  // four columns have both
  RunSettings settings = exact(CrowdKind::kRefuse);
  settings.scheme = SchemeKind::kSum;
  EXPECT_TRUE(check_crowd(data::view(Z), settings, {}));
  settings.scheme = SchemeKind::kMoments;
  EXPECT_FALSE(check_crowd(data::view(Z), settings, {}));
  settings.crowd = CrowdKind::kBlank;
  CrowdRule rule;
  rule.cells = true;
  EXPECT_TRUE(look_at_crowd(*own_columns(data::view(Z), settings).value(), rule).enough());
}

TEST(OwnColumns, NormalisingCanMakeACrowd) {
  Matrix Z = alike();
  Z.col(7) *= 100;
  RunSettings settings = exact(CrowdKind::kRefuse);
  EXPECT_FALSE(check_crowd(data::view(Z), settings, {}));
  settings.normalise = nmf::ColumnNorm::kL2;
  EXPECT_TRUE(check_crowd(data::view(Z), settings, {}));
}

TEST(OwnColumns, AreBlankedOnlyIfTheSettingsSaySo) {
  const data::SharedColumns columns = data::own(with_thin_row());
  EXPECT_EQ(own_columns(columns, exact(CrowdKind::kRefuse)).value(), columns);
  EXPECT_TRUE(look_at_crowd(*own_columns(columns, exact(CrowdKind::kBlank)).value()).enough());
  EXPECT_THAT(crowd_note(columns, exact(CrowdKind::kRefuse), {}).value(), HasSubstr("a real run refuses"));
  EXPECT_THAT(crowd_note(columns, exact(CrowdKind::kBlank), {}).value(), HasSubstr("were blanked"));
  EXPECT_FALSE(crowd_note(data::own(alike()), exact(CrowdKind::kRefuse), {}));
}

TEST(Crowd, OfNonzeroEntriesIsThatOfTheSameColumnsWrittenOut) {
  Stream stream(Seed::from_number(3), 'z');
  Matrix Z = Matrix::Zero(12, 60);
  for (Index t = 0; t < Z.size(); ++t) Z.data()[t] = stream.uniform() < 0.4 ? 1 + stream.uniform() : 0;
  Z.row(2).setZero();
  Z(2, 4) = Z(2, 5) = 1;  // thin
  Z(3, 9) = 40;           // led, and large
  Z(7, 11) = 9;
  const data::SharedColumns dense = data::view(Z);
  const data::SharedColumns sparse = data::own(data::nonzeros_of(*dense));
  for (const bool cells : {false, true}) {
    CrowdRule rule;
    rule.cells = cells;
    const Crowd a = look_at_crowd(*dense, rule);
    const Crowd b = look_at_crowd(*sparse, rule);
    EXPECT_FALSE(a.enough());
    EXPECT_EQ(a.thin, b.thin);
    EXPECT_EQ(a.led, b.led);
    EXPECT_EQ(a.large, b.large);
    EXPECT_EQ(a.cells, b.cells);
    for (const std::vector<Index>& dropped : {std::vector<Index>{}, std::vector<Index>{1, 8}}) {
      const auto with = without_rows(dense, dropped, rule);
      const auto same = without_rows(sparse, dropped, rule);
      ASSERT_EQ(with.has_value(), same.has_value());
      if (!with) continue;
      EXPECT_FALSE(data::lie_dense(**same));
      EXPECT_TRUE(data::dense_of(**with) == data::dense_of(**same));
      EXPECT_FALSE(data::dense_of(**with) == Z);
      Matrix Y = Matrix::Ones(2, 60);
      Matrix Y_same = Y;
      (*with)->restore_units(Y);
      (*same)->restore_units(Y_same);
      EXPECT_TRUE(Y == Y_same);
    }
  }
}

}  // namespace
}  // namespace ppdnmf::protocol
