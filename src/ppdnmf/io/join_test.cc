#include <ppdnmf/io/join.h>

#include <utility>

#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/test_files.h>
#include <ppdnmf/io/test_folder.h>

namespace ppdnmf::io {
namespace {

Result<Table> joined(const std::vector<std::pair<std::string, Table>>& tables) {
  ColumnJoiner joiner(false);
  for (const auto& [name, table] : tables) PPDNMF_TRY_STATUS(joiner.add(name, table));
  PPDNMF_TRY(JoinedTable all, std::move(joiner).take());
  return std::move(all.table);
}

TEST(ColumnJoiner, PutsTablesSideBySide) {
  const auto all = joined({{"a.csv", {Matrix::Constant(2, 1, 1), {"r", "s"}, {"x"}, {}}},
                           {"b.npy", {Matrix::Constant(2, 2, 2), {}, {}, {}}},
                           {"c.csv", {Matrix::Constant(2, 1, 3), {"r", "s"}, {"y"}, {}}}});
  ASSERT_TRUE(all) << message_of(all);
  EXPECT_EQ(all->values, (Matrix(2, 4) << 1, 2, 2, 3, 1, 2, 2, 3).finished());
  EXPECT_EQ(all->row_names, (std::vector<std::string>{"r", "s"}));
  EXPECT_EQ(all->column_names, (std::vector<std::string>{"x", "b.npy:1", "b.npy:2", "y"}));
}

TEST(ColumnJoiner, KeepsTheImageShapeIfAllAgree) {
  const Table image{Matrix::Ones(6, 1), {}, {}, ImageShape{2, 3}};
  const Table other{Matrix::Ones(6, 1), {}, {}, ImageShape{3, 2}};
  EXPECT_TRUE(joined({{"a", image}, {"b", image}})->image);
  EXPECT_FALSE(joined({{"a", image}, {"b", other}})->image);
}

TEST(ColumnJoiner, NamesTheTwoFilesThatDiffer) {
  const Table good{Matrix::Ones(2, 1), {"r", "s"}, {}, {}};
  EXPECT_EQ(message_of(joined({{"a.csv", good}, {"b.csv", {Matrix::Ones(3, 1), {}, {}, {}}}})),
            "a.csv has 2 rows and b.csv has 3; all files must describe the same rows");
  EXPECT_EQ(message_of(joined({{"a.csv", good}, {"b.csv", {Matrix::Ones(2, 1), {"r", "t"}, {}, {}}}})),
            "row 2 is called 's' in a.csv and 't' in b.csv; all files must describe the same rows");
  EXPECT_EQ(
      message_of(joined({{"0.npy", {Matrix::Ones(2, 1), {}, {}, {}}},
                         {"a.csv", good},
                         {"b.csv", {Matrix::Ones(2, 1), {"s", "r"}, {}, {}}}})),
      "row 1 is called 'r' in a.csv and 's' in b.csv; the names are the same in another order: bring them into one "
      "order");
  EXPECT_EQ(message_of(joined({})), "no data file was given");
}

TEST(ColumnJoiner, ComparesRowsAlsoWithFilesThatHaveNoNames) {
  EXPECT_EQ(message_of(joined({{"0.npy", {Matrix::Ones(2, 1), {}, {}, {}}},
                               {"a.csv", {Matrix::Ones(3, 1), {"r", "s", "t"}, {}, {}}}})),
            "0.npy has 2 rows and a.csv has 3; all files must describe the same rows");
}

class JoinedFiles : public FolderTest {};

TEST_F(JoinedFiles, AreWhatTheirTablesAreSideBySide) {
  const Matrix first = (Matrix(2, 2) << 1, 2, 3, 4).finished();
  const Matrix last = (Matrix(2, 3) << 5, -6, 7, 8, 9, 0).finished();
  ASSERT_TRUE(write_npy(folder_ / "a.npy", first));
  write("b.csv", "name,x\nr,10\ns,11\n");
  ASSERT_TRUE(write_npy(folder_ / "c.npy", last));
  ColumnJoiner joiner(true);
  for (const char* name : {"a.npy", "b.csv", "c.npy"}) {
    const Status read = joiner.read((folder_ / name).string());
    ASSERT_TRUE(read) << read.error().message;
  }
  const auto all = std::move(joiner).take();
  ASSERT_TRUE(all) << message_of(all);
  EXPECT_EQ(all->table.values, (Matrix(2, 6) << 1, 2, 10, 5, 0, 7, 3, 4, 11, 8, 9, 0).finished());
  EXPECT_EQ(all->columns, (std::vector<Index>{2, 1, 3}));
  ASSERT_EQ(all->notes.size(), 1U);
  EXPECT_NE(all->notes[0].find("c.npy: 1 entry is negative, the first at row 1, column 2 (-6)"), std::string::npos)
      << all->notes[0];
}

TEST_F(JoinedFiles, ANumberThatIsNoneIsNamedByItsOwnFilesPlace) {
  ASSERT_TRUE(write_npy(folder_ / "a.npy", Matrix::Ones(2, 2)));
  Matrix bad = Matrix::Ones(2, 2);
  bad(1, 0) = -1;
  ASSERT_TRUE(write_npy(folder_ / "b.npy", bad));
  ColumnJoiner joiner(false);
  ASSERT_TRUE(joiner.read((folder_ / "a.npy").string()));
  const Status refused = joiner.read((folder_ / "b.npy").string());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("b.npy: 1 entry is negative, the first at row 2, column 1 (-1)"),
            std::string::npos)
      << refused.error().message;
}

}  // namespace
}  // namespace ppdnmf::io
