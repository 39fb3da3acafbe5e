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
              "z.npy: 1 entry is not finite, the first at row 2, column 1 (nan); replace or remove it, or say with "
              "`missing=nan` that NaN is a missing entry");
  }
  table.values(0, 1) = -INFINITY;
  EXPECT_EQ(message_of(check_nonnegative(table, "z.npy", true)),
            "z.npy: 2 entries are not finite, the first at row 2, column 1 (nan); replace or remove them, or say with "
            "`missing=nan` that NaN is a missing entry");
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

}  // namespace
}  // namespace ppdnmf::io
