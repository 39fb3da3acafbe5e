#include <ppdnmf/io/known_columns.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include <ppdnmf/io/atomic_file.h>

namespace ppdnmf::io {
namespace {

constexpr RowOwner kData{"the data file", "those of the data", "the data have"};

class KnownColumnsTest : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    // Tests may run at the same time, each in a process of its own.
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    const auto path = std::filesystem::path(testing::TempDir()) / ("known_columns_test_" + name + ".csv");
    EXPECT_TRUE(write_file(path, text));
    return path.string();
  }
  static std::string sentence(const Result<std::shared_ptr<const nmf::KnownColumns>>& known) {
    if (known) return "";
    const std::string& message = known.error().message;
    return message.substr(message.find(": ") + 2);
  }
};

TEST_F(KnownColumnsTest, RowsAreMatchedByNameWhereBothHaveNames) {
  const std::string path = file("row,SBS5,SBS1\nb,0.1,0.2\na,0.3,0.4\n");
  const auto known = read_known_columns(path, {"a", "b"}, 2, kData);
  ASSERT_TRUE(known) << known.error().message;
  EXPECT_EQ((*known)->names, (std::vector<std::string>{"SBS5", "SBS1"}));
  EXPECT_EQ((*known)->values, (Matrix(2, 2) << 0.3, 0.4, 0.1, 0.2).finished());
  const auto as_it_stands = read_known_columns(path, {}, 2, kData);
  ASSERT_TRUE(as_it_stands);
  EXPECT_EQ((*as_it_stands)->values(0, 0), 0.1);
}

TEST_F(KnownColumnsTest, ColumnsWithoutNamesGetSome) {
  const auto known = read_known_columns(file("0.1,0.2\n0.3,0.4\n0.5,0.6\n"), {"a", "b", "c"}, 3, kData);
  ASSERT_TRUE(known) << known.error().message;
  EXPECT_EQ((*known)->names, (std::vector<std::string>{"known 1", "known 2"}));
}

TEST_F(KnownColumnsTest, OtherRowsAndNamesThatAreThereTwiceAreOneSentence) {
  const std::string path = file("row,SBS5\nb,0.1\na,0.3\n");
  EXPECT_EQ(
      sentence(read_known_columns(path, {"a", "c"}, 2, kData)),
      "lacks the row 'c' and has the row 'b' that the data file does not know: the rows must be those of the data");
  EXPECT_EQ(sentence(read_known_columns(path, {}, 3, kData)),
            "has 2 rows, but the data have 3: known components need the same rows");
  EXPECT_EQ(sentence(read_known_columns(file("row,A,A\na,1,2\n"), {"a"}, 1, kData)),
            "two columns are called 'A': components need different names");
}

}  // namespace
}  // namespace ppdnmf::io
