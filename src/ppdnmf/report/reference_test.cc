#include <ppdnmf/report/reference.h>

#include <algorithm>

#include <ppdnmf/io/test_files.h>

namespace ppdnmf::report {
namespace {

using ::testing::HasSubstr;

Matrix three_columns() {
  Matrix A(4, 3);
  A << 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 2;
  return A;
}

TEST(Reference, RowsAreFoundByNameInAnyOrder) {
  const std::vector<std::string> rows = {"a", "b", "c", "d"};
  const auto reference = arrange_reference(
      {three_columns().colwise().reverse(), {"d", "c", "b", "a"}, {"x", "y", "z"}, {}}, "file", rows, 4);
  ASSERT_TRUE(reference) << io::message_of(reference);
  EXPECT_EQ(reference->columns, three_columns());
  EXPECT_EQ(reference->names, (std::vector<std::string>{"x", "y", "z"}));
}

TEST(Reference, ChannelsAreFoundInAnotherSpelling) {
  const std::vector<std::string>& cosmic = channel_scheme(ChannelKind::kSbs96).names;
  std::vector<std::string> others;
  others.reserve(cosmic.size());
  for (const std::string& name : cosmic)
    others.push_back(fmt::format("{}>{} {}{}{}", name[2], name[4], name[0], name[2], name[6]));
  const Matrix columns = Matrix::Random(96, 2).cwiseAbs();
  std::reverse(others.begin(), others.end());
  const auto reference = arrange_reference({columns.colwise().reverse(), others, {}, {}}, "file", cosmic, 96);
  ASSERT_TRUE(reference) << io::message_of(reference);
  EXPECT_EQ(reference->columns, columns);
  EXPECT_EQ(reference->names, (std::vector<std::string>{"1", "2"}));
}

TEST(Reference, OtherRowsAreASentence) {
  EXPECT_EQ(
      io::message_of(arrange_reference({Matrix::Ones(2, 1), {"a", "x"}, {}, {}}, "file", {"a", "b"}, 2)),
      "file: lacks the row 'b' and has the row 'x' that the data set does not know: the rows must be those of the "
      "data");
  EXPECT_THAT(io::message_of(arrange_reference({Matrix::Ones(3, 1), {}, {}, {}}, "file", {"a", "b"}, 2)),
              HasSubstr("file: has 3 rows, but the data have 2"));
  EXPECT_THAT(io::message_of(arrange_reference({Matrix::Constant(2, 1, -1), {}, {}, {}}, "file", {}, 2)),
              HasSubstr("negative"));
}

TEST(Reference, MatchesOneToOneWhicheverSideHasMore) {
  const Reference reference{{"x", "y", "z"}, three_columns()};
  Matrix X(4, 2);
  X << 0, 3, 0, 0, 5, 0, 10, 3;  // z five times, x three times
  const auto two = match_components(X, reference);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].name, "z");
  EXPECT_EQ(two[1].name, "x");
  EXPECT_NEAR(two[1].cosine, 1, 1e-15);
  const auto three = match_components(three_columns(), {{"x", "y"}, three_columns().leftCols(2)});
  EXPECT_EQ(three[0].name, "x");
  EXPECT_EQ(three[1].name, "y");
  EXPECT_EQ(three[2].name, "");
  EXPECT_TRUE(std::isnan(three[2].cosine));
}

class PicturesOf : public io::FolderTest {};

TEST_F(PicturesOf, AFactorGoIntoRecordAndReport) {
  const auto path = write("catalogue.csv", "row,SBS1,SBS2\nb,0,1\na,1,0\n");
  const std::vector<std::string> rows = {"a", "b"};
  const auto pictures = prepare_pictures({Show::kTopics, path}, {2, rows, {}});
  ASSERT_TRUE(pictures) << io::message_of(pictures);
  RunRecord record;
  ReportOptions options;
  Matrix X(2, 2);
  X << 0.1, 2, 4, 0.5;
  apply_pictures(*pictures, X, record, options);
  EXPECT_EQ(options.show, Show::kTopics);
  EXPECT_EQ(record.matches.at(0).name, "SBS2");
  EXPECT_EQ(record.matches.at(1).name, "SBS1");
  EXPECT_EQ(options.matched(1, 0), 1);
  EXPECT_THAT(io::message_of(prepare_pictures({Show::kAuto, folder_ / "none.csv"}, {2, rows, {}})),
              HasSubstr("none.csv: cannot be"));
}

}  // namespace
}  // namespace ppdnmf::report
