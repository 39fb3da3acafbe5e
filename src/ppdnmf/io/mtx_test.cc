#include <ppdnmf/io/mtx.h>

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include <ppdnmf/io/file.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/test_files.h>

namespace ppdnmf::io {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal(std::string_view text) { return message_of(parse_mtx(bytes_of(text))); }

TEST(Mtx, ReadsWhatScipyWrote) {
  for (const char* name : {"real_array.mtx", "real_coordinate.mtx"}) {
    const auto table = parse_mtx(testdata_bytes(name));
    ASSERT_TRUE(table) << name << ": " << message_of(table);
    EXPECT_EQ(table->values, real_matrix()) << name;
  }
  EXPECT_EQ(parse_mtx(testdata_bytes("counts_coordinate.mtx"))->values, counts_matrix());
  EXPECT_EQ(parse_mtx(testdata_bytes("pattern.mtx"))->values, (Matrix(2, 3) << 0, 0, 1, 1, 1, 1).finished());
  for (const char* name : {"symmetric_array.mtx", "symmetric_coordinate.mtx"}) {
    EXPECT_EQ(parse_mtx(testdata_bytes(name))->values, (Matrix(2, 2) << 1, 2, 2, 3).finished()) << name;
  }
}

TEST(Mtx, AddsDuplicatesAndPassesOverComments) {
  const auto table =
      parse_mtx(bytes_of("%%matrixmarket MATRIX Coordinate Real General\r\n% c\r\n\r\n2 2 3\r\n1 1 1.5\r\n% in "
                         "between\r\n1 1 2\r\n2 1 4"));
  ASSERT_TRUE(table) << message_of(table);
  EXPECT_EQ(table->values, (Matrix(2, 2) << 3.5, 0, 4, 0).finished());
}

TEST(Mtx, RefusesInASentence) {
  const std::string general = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_THAT(refusal("1 1 1\n"), StartsWith("it is not a Matrix Market file"));
  EXPECT_THAT(refusal(""), StartsWith("it is not a Matrix Market file"));
  EXPECT_EQ(message_of(parse_mtx(testdata_bytes("bad_complex.mtx"))),
            "line 1: its numbers are 'complex'; real, integer and pattern can be read");
  EXPECT_EQ(refusal("%%MatrixMarket vector array real general\n"), "line 1: it holds a 'vector', not a matrix");
  EXPECT_EQ(refusal("%%MatrixMarket matrix list real general\n"), "line 1: 'list' is neither array nor coordinate");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate real hermitian\n"),
            "line 1: it is 'hermitian'; general and symmetric matrices can be read");
  EXPECT_EQ(refusal("%%MatrixMarket matrix array pattern general\n"), "line 1: an array file cannot hold a pattern");
  EXPECT_EQ(refusal(general), "it ends where the number of rows should be: it is not complete");
  EXPECT_EQ(refusal(general + "2 x 1\n"), "line 2: 'x' is not the number of columns");
  EXPECT_EQ(refusal(general + "2 -2 1\n"), "line 2: '-2' is not the number of columns");
  EXPECT_EQ(refusal(general + "0 2 0\n"), "it holds an empty matrix (0 rows, 2 columns)");
  EXPECT_EQ(refusal(general + "2 2 1\n3 1 1\n"), "line 3: the row number is 3, outside 1 to 2");
  EXPECT_EQ(refusal(general + "2 2 1\n1 0 1\n"), "line 3: the column number is 0, outside 1 to 2");
  EXPECT_EQ(refusal(general + "2 2 1\n1 1 x\n"), "line 3: 'x' is not a number");
  EXPECT_EQ(refusal(general + "2 2 2\n1 1 1\n"), "it ends where the row number should be: it is not complete");
  EXPECT_EQ(refusal(general + "2 2 1\n1 1\n"), "it ends before its last entry: it is not complete");
  EXPECT_EQ(refusal(general + "2 2 1\n1 1 1\n2 2 1\n"), "line 4: '2' follows after the last entry");
  EXPECT_EQ(refusal("%%MatrixMarket matrix array real symmetric\n2 3\n1 1 1 1 1 1\n"),
            "line 2: a symmetric matrix cannot have 2 rows and 3 columns");
}

TEST(Mtx, AnEnormousHeaderAllocatesNothing) {
  EXPECT_EQ(refusal("%%MatrixMarket matrix array real general\n1000000 1000000\n1\n"),
            "it claims 1000000 x 1000000 entries; at most 268435456 can be read");
  EXPECT_THAT(refusal("%%MatrixMarket matrix array real general\n16384 16384\n1\n"), HasSubstr("it is not complete"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix coordinate real general\n16384 16384 1000000000000\n1 1 1\n"),
              HasSubstr("it is not complete"));
}

class MtxFile : public FolderTest {
 protected:
  [[nodiscard]] std::filesystem::path write(const std::string& text) const {
    std::filesystem::path path = folder_ / "Z.mtx";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

// Words, comments and line ends lie across every seam between two pieces.
TEST_F(MtxFile, IsReadInPiecesAsItIsFromMemory) {
  constexpr int kRows = 3000;
  constexpr int kEntries = 200'000;
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n{} 700 {}\n", kRows, kEntries);
  for (int i = 0; i < kEntries; ++i) {
    if (i % 1000 == 0) text += "% 1 1 1" + std::string(static_cast<std::size_t>(i % 7000), ' ') + "\n";
    fmt::format_to(std::back_inserter(text), "{} {}  {}\r\n", i * 7919LL % kRows + 1, i * 104729LL % 700 + 1,
                   1 + i % 13 / 7.0);
  }
  ASSERT_GT(text.size(), 3 * FileText::kPiece);
  const ReadLimits sparse{.keep_sparse = true};
  const auto of_file = read_matrix(write(text), sparse);
  const auto of_bytes = parse_mtx(bytes_of(text), sparse);
  ASSERT_TRUE(of_file && of_bytes) << message_of(of_file) << message_of(of_bytes);
  ASSERT_TRUE(of_file->nonzeros && of_bytes->nonzeros);
  EXPECT_EQ(of_file->nonzeros->first, of_bytes->nonzeros->first);
  EXPECT_EQ(of_file->nonzeros->row, of_bytes->nonzeros->row);
  EXPECT_EQ(of_file->nonzeros->value, of_bytes->nonzeros->value);
}

TEST_F(MtxFile, ACommentMayBeLongerThanAPieceButNoWord) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  const std::string comment = "%" + std::string(2 * FileText::kPiece + 5, '1') + " 1 1 1\n";
  const auto table = read_mtx(write(head + comment + "1 1 1\n" + comment + "1 1 4\n" + comment));
  ASSERT_TRUE(table) << message_of(table);
  EXPECT_EQ(table->values(0, 0), 4);
  const std::string word(FileText::kPiece + 1, '1');
  EXPECT_THAT(message_of(read_mtx(write(head + "1 1 1\n1 1 " + word + "\n"))),
              HasSubstr("Z.mtx: it has a word of more"));
}

TEST_F(MtxFile, CutOffAnywhereItIsRefused) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 1\n3 2 5\n2 1 7\n";
  for (std::size_t size = 1; size + 2 < text.size(); ++size) {
    const auto table = read_mtx(write(text.substr(0, size)));
    EXPECT_FALSE(table) << size;
  }
  EXPECT_TRUE(read_mtx(write(text)));
}

}  // namespace
}  // namespace ppdnmf::io
