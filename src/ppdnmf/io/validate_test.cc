#include <ppdnmf/io/validate.h>

#include <cmath>
#include <limits>

#include <ppdnmf/io/test_files.h>

namespace ppdnmf::io {
namespace {

using Names = std::vector<std::string>;

TEST(CheckNonnegative, PassesGoodDataOn) {
  const auto checked = check_nonnegative({real_matrix(), {}, {}, {}}, "z.csv", false);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->table.values, real_matrix());
  EXPECT_TRUE(checked->notes.empty());
}

TEST(CheckNonnegative, SaysHowManyAndWhere) {
  Table table{real_matrix(), {"r1", "r2"}, {"a", "b", "c"}, {}};
  table.values(1, 1) = -0.5;
  table.values(0, 2) = -2;
  const auto checked = check_nonnegative(table, "z.csv", false);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kInvalidData);
  EXPECT_EQ(checked.error().message,
            "z.csv: 2 entries are negative, the first at row 2 ('r2'), column 2 ('b') (-0.5); `clip_negative` sets "
            "negative entries to zero");
  const auto clipped = check_nonnegative(table, "z.csv", true);
  ASSERT_TRUE(clipped);
  EXPECT_EQ(clipped->table.values.minCoeff(), 0);
  EXPECT_EQ(clipped->notes[0],
            "z.csv: 2 entries are negative, the first at row 2 ('r2'), column 2 ('b') (-0.5); set to zero as asked");
}

TEST(CheckNonnegative, NothingClipsWhatIsNotFinite) {
  Table table{real_matrix(), {}, {}, {}};
  table.values(1, 0) = std::numeric_limits<double>::quiet_NaN();
  for (const bool clip : {false, true}) {
    EXPECT_EQ(message_of(check_nonnegative(table, "z.npy", clip)),
              "z.npy: 1 entry is not finite, the first at row 2, column 1 (nan); replace or remove it");
  }
  table.values(0, 1) = -INFINITY;
  EXPECT_EQ(message_of(check_nonnegative(table, "z.npy", true)),
            "z.npy: 2 entries are not finite, the first at row 2, column 1 (nan); replace or remove them");
}

TEST(CheckNonnegative, NotesZeroRowsAndColumns) {
  Table table{(Matrix(3, 2) << 0, 0, 1, 0, 0, 0).finished(), {"x", "y", "z"}, {}, {}};
  EXPECT_EQ(check_nonnegative(table, "z.csv", false)->notes,
            (Names{"z.csv: 2 rows are all zero; the first is row 1 ('x')",
                   "z.csv: 1 column is all zero; the first is column 2"}));
}

TEST(CheckNonnegative, RefusesNumbersWhoseSquaresAreNone) {
  const auto scaled = [](double unit) { return Table{real_matrix() / real_matrix().maxCoeff() * unit, {}, {}, {}}; };
  for (const double good : {1e-140, 1e-100, 1.0, 1e140})
    EXPECT_TRUE(check_nonnegative(scaled(good), "z", false)) << good;
  EXPECT_EQ(message_of(check_nonnegative(scaled(1e300), "z", false)),
            "z: the largest entry is 1e+300; choose a unit in which it is from 1e-140 to 1e+140");
  EXPECT_EQ(message_of(check_nonnegative(scaled(1e-200), "z", false)),
            "z: the largest entry is 1e-200; choose a unit in which it is from 1e-140 to 1e+140");
  Table clipped = scaled(1);
  clipped.values(0, 0) = -1e300;
  EXPECT_TRUE(check_nonnegative(clipped, "z", true));
}

TEST(CheckNonnegative, MinusZeroBecomesZero) {
  Table table{Matrix::Constant(1, 1, -0.0), {}, {}, {}};
  EXPECT_FALSE(std::signbit(check_nonnegative(table, "z", false)->table.values(0, 0)));
}

TEST(JoinColumns, PutsTablesSideBySide) {
  const auto joined = join_columns({{"a.csv", {Matrix::Constant(2, 1, 1), {"r", "s"}, {"x"}, {}}},
                                    {"b.npy", {Matrix::Constant(2, 2, 2), {}, {}, {}}},
                                    {"c.csv", {Matrix::Constant(2, 1, 3), {"r", "s"}, {"y"}, {}}}});
  ASSERT_TRUE(joined) << message_of(joined);
  EXPECT_EQ(joined->values, (Matrix(2, 4) << 1, 2, 2, 3, 1, 2, 2, 3).finished());
  EXPECT_EQ(joined->row_names, (Names{"r", "s"}));
  EXPECT_EQ(joined->column_names, (Names{"x", "b.npy:1", "b.npy:2", "y"}));
}

TEST(JoinColumns, KeepsTheImageShapeIfAllAgree) {
  const Table image{Matrix::Ones(6, 1), {}, {}, ImageShape{2, 3}};
  const Table other{Matrix::Ones(6, 1), {}, {}, ImageShape{3, 2}};
  EXPECT_TRUE(join_columns({{"a", image}, {"b", image}})->image);
  EXPECT_FALSE(join_columns({{"a", image}, {"b", other}})->image);
}

TEST(JoinColumns, NamesTheTwoFilesThatDiffer) {
  const Table good{Matrix::Ones(2, 1), {"r", "s"}, {}, {}};
  EXPECT_EQ(message_of(join_columns({{"a.csv", good}, {"b.csv", {Matrix::Ones(3, 1), {}, {}, {}}}})),
            "a.csv has 2 rows and b.csv has 3; all files must describe the same rows");
  EXPECT_EQ(message_of(join_columns({{"a.csv", good}, {"b.csv", {Matrix::Ones(2, 1), {"r", "t"}, {}, {}}}})),
            "row 2 is called 's' in a.csv and 't' in b.csv; all files must describe the same rows");
  EXPECT_EQ(
      message_of(join_columns({{"0.npy", {Matrix::Ones(2, 1), {}, {}, {}}},
                               {"a.csv", good},
                               {"b.csv", {Matrix::Ones(2, 1), {"s", "r"}, {}, {}}}})),
      "row 1 is called 'r' in a.csv and 's' in b.csv; the names are the same in another order: bring them into one "
      "order");
  EXPECT_EQ(message_of(join_columns({})), "no data file was given");
}

}  // namespace
}  // namespace ppdnmf::io
