#include <ppdnmf/io/row_names.h>

#include <ppdnmf/io/test_files.h>

namespace ppdnmf::io {
namespace {

using ::testing::HasSubstr;

class RowNames : public FolderTest {};

TEST_F(RowNames, AreReadFromLines) {
  const auto path = write("names.txt", "A[C>A]A\r\n  second one \nlast");
  const auto names = read_row_names(path);
  ASSERT_TRUE(names) << message_of(names);
  EXPECT_EQ(*names, (std::vector<std::string>{"A[C>A]A", "second one", "last"}));
  EXPECT_THAT(message_of(read_row_names(write("gap.txt", "a\n\nb\n"))), HasSubstr("line 2 is empty"));
  EXPECT_THAT(message_of(read_row_names(write("twice.txt", "a\nb\na\n"))),
              HasSubstr("line 3: the name 'a' is already"));
}

}  // namespace
}  // namespace ppdnmf::io
