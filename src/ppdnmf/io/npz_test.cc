#include <ppdnmf/io/npz.h>

#include <ppdnmf/io/mat.h>
#include <ppdnmf/io/mtx.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/test_files.h>
#include <ppdnmf/io/zip.h>

namespace ppdnmf::io {
namespace {

using ::testing::HasSubstr;

// FEW of make_testdata.py.
Matrix few_matrix() {
  Matrix Z = Matrix::Zero(6, 5);
  Z(0, 0) = 1.5;
  Z(5, 0) = 2;
  Z(2, 1) = 0.25;
  Z(3, 3) = 7;
  Z(4, 3) = 3;
  Z(0, 4) = 4;
  return Z;
}

void expect_few(const Result<Table>& table, const std::string& name) {
  ASSERT_TRUE(table) << name << ": " << message_of(table);
  ASSERT_EQ(table->values.rows(), 6) << name;
  ASSERT_EQ(table->values.cols(), 5) << name;
  EXPECT_EQ(table->values, few_matrix()) << name;
}

TEST(Npz, ReadsWhatScipyWrote) {
  for (const char* name : {"few_csc.npz", "few_csr.npz", "few_coo.npz", "few_csc_stored.npz", "few_csr_stored.npz",
                           "few_coo_stored.npz", "few_csr_f4.npz", "few_csc_i8.npz"}) {
    expect_few(parse_npz(testdata_bytes(name)), name);
  }
  EXPECT_EQ(parse_npz(testdata_bytes("real_csc.npz"))->values, real_matrix());
}

TEST(Npz, OtherFilesOfNonzeroEntriesAreTheSameTable) {
  expect_few(parse_mtx(testdata_bytes("few_coordinate.mtx")), "few_coordinate.mtx");
  expect_few(parse_mat(testdata_bytes("few_sparse.mat")), "few_sparse.mat");
}

TEST(Npz, EntriesMayComeInAnyOrderAndRepeatedOnesAreAdded) {
  expect_few(parse_npz(testdata_bytes("few_untidy.npz")), "few_untidy.npz");
}

TEST(Npz, RefusesInASentence) {
  const auto refusal = [](const char* name) { return message_of(parse_npz(testdata_bytes(name))); };
  EXPECT_EQ(refusal("bad_row.npz"), "entry 1: the row index is 6, outside 0 to 5");
  EXPECT_EQ(refusal("bad_negative.npz"), "entry 1: the row index is -1, outside 0 to 5");
  for (const char* name : {"bad_falling.npz", "bad_short.npz", "bad_long.npz"})
    EXPECT_EQ(refusal(name), "its indptr does not rise from 0 to 11, the number of its entries: it is broken") << name;
  EXPECT_EQ(refusal("bad_lines.npz"), "its indptr has 6 numbers; 4 lines need 5");
  EXPECT_EQ(refusal("bad_lengths.npz"), "it has 2 numbers, but 11 indices: it is broken");
  EXPECT_EQ(refusal("bad_fractions.npz"), "its indices are not whole numbers");
  EXPECT_EQ(refusal("bad_dimensions.npz"), "it has 3 dimensions; a matrix has two");
  EXPECT_EQ(refusal("bad_empty.npz"), "it holds an empty matrix (0 rows, 5 columns)");
  EXPECT_EQ(refusal("bad_sides.npz"), "it claims -6 rows and 5 columns");
  EXPECT_EQ(refusal("bad_complex.npz"), "data: its numbers are complex; save real ones");
  EXPECT_EQ(refusal("bad_format.npz"),
            "its sparse format is 'dia'; csc, csr and coo can be read: convert it with .tocsc()");
  EXPECT_EQ(refusal("bad_dense.npz"),
            "it holds no format.npy: only sparse matrices that scipy.sparse.save_npz wrote can be read from an .npz "
            "file");
  EXPECT_EQ(refusal("real_f8.npy"), "it is not an .npz archive");
}

TEST(Npz, EveryTruncationAndEveryChangedByteIsRefusedOrReadRight) {
  for (const char* name : {"few_csc.npz", "few_coo_stored.npz"}) {
    const Bytes whole = testdata_bytes(name);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_FALSE(parse_npz(ByteSpan(whole).first(size))) << name << ", " << size;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      Bytes changed = whole;
      changed[i] ^= 0x55U;
      const auto table = parse_npz(changed);
      if (table) expect_few(table, name);  // a date, say
    }
  }
}

TEST(Npz, AnEnormousShapeAllocatesNothing) {
  const ReadLimits limits{.max_entries = 29, .max_file_bytes = 1U << 20U};
  EXPECT_EQ(message_of(parse_npz(testdata_bytes("few_csc.npz"), limits)),
            "it claims 6 x 5 entries; at most 29 can be read");
}

TEST(Npz, AMemberThatUnpacksToMoreThanAnArrayMayHaveIsRefused) {
  Bytes storage;
  const Bytes archive = testdata_bytes("few_csc.npz");
  const auto members = list_zip(archive);
  ASSERT_TRUE(members) << message_of(members);
  for (const ZipMember& member : *members)
    EXPECT_THAT(message_of(open_zip_member(member, member.size - 1, storage)), HasSubstr("is larger than"));
}

TEST(Npz, IsChosenByItsExtension) { EXPECT_EQ(read_matrix(testdata("few_csr.npz"))->values, few_matrix()); }

}  // namespace
}  // namespace ppdnmf::io
