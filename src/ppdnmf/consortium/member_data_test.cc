#include <ppdnmf/consortium/member_data.h>

#include <limits>

#include <ppdnmf/consortium/test_consortium.h>

namespace ppdnmf::consortium {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Consortium three_rows() {
  Consortium s;
  s.rows = 3;
  s.settings.rank = 2;
  s.row_names = {"x", "y", "z"};
  return s;
}

// Row r of column c is 10 r + c + 1.
io::Table table_of(std::vector<std::string> names, Index rows = 3) {
  io::Table table;
  table.values.resize(rows, 2);
  for (Index r = 0; r < rows; ++r)
    table.values.row(r) << 10.0 * static_cast<double>(r) + 1, 10.0 * static_cast<double>(r) + 2;
  table.row_names = std::move(names);
  table.column_names = {"p", "q"};
  return table;
}

std::string refusal(io::Table table, const Consortium& consortium) {
  const auto arranged = arrange_rows(std::move(table), "Z.csv", false, consortium);
  if (arranged) return "accepted";
  EXPECT_EQ(arranged.error().code, ErrorCode::kInvalidData);
  return arranged.error().message;
}

TEST(ArrangeRows, PutsNamedRowsIntoTheConsortiumsOrder) {
  const auto arranged = arrange_rows(table_of({"z", "x", "y"}), "Z.csv", false, three_rows());
  ASSERT_TRUE(arranged) << arranged.error().message;
  EXPECT_EQ(arranged->table.values, (Matrix(3, 2) << 11, 12, 21, 22, 1, 2).finished());
  EXPECT_THAT(arranged->table.row_names, ElementsAre("x", "y", "z"));
  EXPECT_THAT(arranged->table.column_names, ElementsAre("p", "q"));
  EXPECT_THAT(arranged->notes, ElementsAre(HasSubstr("by their names")));
}

TEST(ArrangeRows, HasNothingToSayOfRowsInOrder) {
  const auto arranged = arrange_rows(table_of({"x", "y", "z"}), "Z.csv", false, three_rows());
  ASSERT_TRUE(arranged);
  EXPECT_EQ(arranged->table.values, table_of({}).values);
  EXPECT_THAT(arranged->notes, IsEmpty());
}

TEST(ArrangeRows, SaysSoWhereNamesCannotBeCompared) {
  auto arranged = arrange_rows(table_of({}), "Z.npy", false, three_rows());
  ASSERT_TRUE(arranged);
  EXPECT_THAT(arranged->notes, ElementsAre(HasSubstr("has no row names")));
  EXPECT_THAT(arranged->table.row_names, ElementsAre("x", "y", "z"));
  Consortium nameless = three_rows();
  nameless.row_names.clear();
  arranged = arrange_rows(table_of({"z", "x", "y"}), "Z.csv", false, nameless);
  ASSERT_TRUE(arranged);
  EXPECT_EQ(arranged->table.values, table_of({}).values);
  EXPECT_THAT(arranged->notes, ElementsAre(HasSubstr("taken as they stand")));
}

TEST(ArrangeRows, NamesRowsThatAreMissingUnknownOrDouble) {
  EXPECT_THAT(refusal(table_of({"x", "y", "w"}), three_rows()),
              HasSubstr("Z.csv: lacks the row 'z' and has the row 'w' that the consortium does not know"));
  EXPECT_THAT(refusal(table_of({"x", "y", "z", "w", "v"}, 5), three_rows()), HasSubstr("has the row 'w' and 1 more"));
  EXPECT_THAT(refusal(table_of({"z"}, 1), three_rows()), HasSubstr("lacks the row 'x' and 1 more: "));
  EXPECT_THAT(refusal(table_of({"x", "y", "x"}), three_rows()), HasSubstr("rows 1 and 3 are both called 'x'"));
  EXPECT_THAT(refusal(table_of({}, 4), three_rows()), HasSubstr("has 4 rows, but the consortium agreed on 3"));
}

TEST(ArrangeRows, ChecksNumbersAsElsewhere) {
  io::Table table = table_of({"z", "x", "y"});
  table.values(0, 1) = -1;
  EXPECT_THAT(refusal(table, three_rows()), HasSubstr("row 3 ('z'), column 2 ('q') (-1); `clip_negative`"));
  EXPECT_TRUE(arrange_rows(table, "Z.csv", true, three_rows()));
  table.values(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal(table, three_rows()), HasSubstr("not finite"));
}

TEST(ArrangeRows, MoreColumnsThanAPrivateRunCountsOnAreNoted) {
  Consortium settings = three_rows();
  settings.settings.columns = 3;
  for (const Index columns : {3, 4}) {
    io::Table table;
    table.values = Matrix::Ones(3, columns);
    table.row_names = settings.row_names;
    const auto checked = arrange_rows(std::move(table), "Z.csv", false, settings);
    ASSERT_TRUE(checked) << checked.error().message;
    const auto says = HasSubstr("has 4 columns alone");
    if (columns == 4) {
      EXPECT_THAT(checked->notes, testing::Contains(says));
    } else {
      EXPECT_THAT(checked->notes, testing::Not(testing::Contains(says)));
    }
  }
}

std::string refusal(const std::optional<Matrix>& X, const Consortium& consortium) {
  const Status checked = check_start_from(X, consortium);
  if (checked) return "accepted";
  EXPECT_EQ(checked.error().code, ErrorCode::kUsage);
  return checked.error().message;
}

TEST(StartFrom, IsTheFilesXOrThereIsNone) {
  const Matrix X = table_of({}).values;
  Consortium anew = three_rows();
  Consortium going_on = anew;
  going_on.start_from = matrix_digest(X);
  EXPECT_EQ(refusal(std::nullopt, anew), "accepted");
  EXPECT_EQ(refusal(X, going_on), "accepted");
  EXPECT_THAT(refusal(std::nullopt, going_on), HasSubstr("give that X.npy with `start_from`"));
  EXPECT_THAT(refusal(X, anew), HasSubstr("leave out `start_from`"));
  EXPECT_THAT(refusal(2 * X, going_on), HasSubstr("is not the X"));
  EXPECT_THAT(refusal(Matrix(X.topRows(2)), going_on), HasSubstr("is 2 by 2, but X is 3 by 2"));
  EXPECT_THAT(refusal(-X, going_on), HasSubstr("negative"));
  EXPECT_THAT(refusal(X * std::numeric_limits<double>::quiet_NaN(), going_on), HasSubstr("not a number"));
}

}  // namespace
}  // namespace ppdnmf::consortium
