#include <ppdnmf/io/mat.h>

#include <matio.h>

#include <algorithm>

#include <ppdnmf/io/inflate.h>
#include <ppdnmf/io/test_files.h>

namespace ppdnmf::io {
namespace {

std::string refusal(const char* file, std::string_view name = {}) {
  return message_of(parse_mat(testdata_bytes(file), name));
}

TEST(Mat, ReadsWhatScipyWrote) {
  for (const char* name :
       {"real.mat", "real_compressed.mat", "real_sparse.mat", "real_sparse_compressed.mat", "real_big_endian.mat"}) {
    for (const char* variable : {"", "Z"}) {
      const auto table = parse_mat(testdata_bytes(name), variable);
      ASSERT_TRUE(table) << name << ": " << message_of(table);
      EXPECT_EQ(table->values, real_matrix()) << name;
    }
  }
  for (const char* name : {"counts_u1.mat", "counts_i1.mat", "counts_u2.mat", "counts_i2.mat", "counts_u4.mat",
                           "counts_i4.mat", "counts_u8.mat", "counts_i8.mat"}) {
    const auto table = parse_mat(testdata_bytes(name));
    ASSERT_TRUE(table) << name << ": " << message_of(table);
    EXPECT_EQ(table->values, counts_matrix()) << name;
  }
}

TEST(Mat, FindsAVariableByName) {
  const Bytes file = testdata_bytes("several.mat");
  EXPECT_EQ(parse_mat(file, "A")->values, real_matrix());
  EXPECT_EQ(parse_mat(file, "B")->values, counts_matrix());
  EXPECT_EQ(parse_mat(file, "a_name_of_more_than_four")->values, real_matrix());
  EXPECT_EQ(parse_mat(file, "logical_one")->values, (Matrix(2, 3) << 0, 0, 1, 1, 1, 1).finished());
}

TEST(Mat, RefusesInASentence) {
  EXPECT_EQ(
      refusal("several.mat"),
      "it holds several matrices (A, B, logical_one, a_name_of_more_than_four); choose one by writing :NAME behind "
      "the file name");
  EXPECT_EQ(refusal("several.mat", "D"),
            "it holds no variable 'D'; its matrices are: A, B, logical_one, a_name_of_more_than_four");
  EXPECT_EQ(refusal("several.mat", "label"), "its variable 'label' is not a matrix of numbers");
  EXPECT_EQ(refusal("several.mat", "s"), "its variable 's' is not a matrix of numbers");
  EXPECT_EQ(refusal("several.mat", "c"), "its variable 'c' is not a matrix of numbers");
  EXPECT_EQ(refusal("several.mat", "C3"), "its variable 'C3' has 3 dimensions; a matrix has two");
  EXPECT_EQ(refusal("several.mat", "complex_one"), "its variable 'complex_one' is complex; save real numbers");
  EXPECT_EQ(refusal("bad_only_text.mat"), "it holds no real numeric matrix");
  EXPECT_EQ(refusal("bad_version4.mat"), "it is not a MAT-file, or not a complete one");
  EXPECT_EQ(message_of(parse_mat(bytes_of("MATLAB 7.3 MAT-file, Platform: GLNXA64"))),
            "it is a version 7.3 MAT-file; save it again with save(..., '-v7')");
  EXPECT_EQ(message_of(parse_mat(bytes_of("\x89HDF\r\n"))),
            "it is a version 7.3 MAT-file; save it again with save(..., '-v7')");
  EXPECT_EQ(message_of(parse_mat(bytes_of(std::string(200, 'x')))),
            "it is not a MAT-file of version 5 to 7.2; save it again with save(..., '-v7')");
}

TEST(Mat, RefusesEveryTruncation) {
  for (const char* name : {"real.mat", "real_compressed.mat", "real_sparse.mat", "real_big_endian.mat"}) {
    const Bytes whole = testdata_bytes(name);
    // Cut between two variables a file is whole again: the second one is small and last.
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto table = parse_mat(ByteSpan(whole).first(size));
      if (table) {
        EXPECT_EQ(table->values, real_matrix()) << name << " " << size;
      }
    }
    EXPECT_FALSE(parse_mat(ByteSpan(whole).first(whole.size() - 9))) << name;
  }
}

TEST(Mat, AnEnormousHeaderAllocatesNothing) {
  Bytes file = testdata_bytes("real.mat");
  // The dimensions follow after the file's header, the matrix's tag, the flags and their own tag.
  const std::size_t dimensions = 128 + 8 + 16 + 8;
  const auto set = [&](std::size_t place, std::uint32_t value) { std::memcpy(file.data() + place, &value, 4); };
  set(dimensions, 1000000);
  set(dimensions + 4, 1000000);
  EXPECT_EQ(message_of(parse_mat(file)), "it claims 1000000 x 1000000 entries; at most 268435456 can be read");
  set(dimensions, 16384);
  set(dimensions + 4, 16384);
  EXPECT_EQ(message_of(parse_mat(file)), "its variable 'Z' is broken");
  set(dimensions, 0x80000000U);
  EXPECT_EQ(message_of(parse_mat(file)), "a variable in it is broken");
  set(128 + 4, 0xFFFFFFF0U);
  EXPECT_EQ(message_of(parse_mat(file)), "it ends within a variable: it is not complete, or broken");
}

TEST(Mat, SparsePlacesAreChecked) {
  const Bytes whole = testdata_bytes("real_sparse.mat");
  // Any byte of the row numbers and column starts made large must be refused, never followed.
  for (std::size_t place = 128; place < whole.size(); ++place) {
    Bytes file = whole;
    file[place] = 0xFF;
    (void)parse_mat(file, {}, {.max_entries = 1000});
  }
}

TEST(Mat, SparseListsThatLieAreRefusedInASentence) {
  const Bytes whole = testdata_bytes("real_sparse.mat");
  const std::vector<std::int32_t> row_list{1, 0, 1, 0, 1};
  const std::vector<std::int32_t> starts{0, 1, 3, 5};
  const auto place_of = [&](const auto& list) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(list.data());
    const auto found = std::search(whole.begin(), whole.end(), bytes, bytes + list.size() * sizeof(std::int32_t));
    EXPECT_NE(found, whole.end());
    return static_cast<std::size_t>(found - whole.begin());
  };
  const auto with = [&](std::size_t place, std::int32_t value) {
    Bytes file = whole;
    std::memcpy(file.data() + place, &value, sizeof value);
    return message_of(parse_mat(file));
  };
  const std::size_t rows = place_of(row_list);
  const std::size_t first = place_of(starts);
  EXPECT_THAT(with(rows, 600), testing::EndsWith("entry 1 has the row index 600, outside 0 to 1"));
  EXPECT_THAT(with(rows + 4, -1), testing::EndsWith("entry 2 has the row index -1, outside 0 to 1"));
  EXPECT_THAT(with(first, 1), testing::HasSubstr("do not rise from 0"));
  EXPECT_THAT(with(first + 4, 1000), testing::HasSubstr("do not rise from 0"));
  EXPECT_THAT(with(first + 4 * (starts.size() - 1), 1000), testing::HasSubstr("claims 1000 entries"));
  EXPECT_THAT(with(first + 4 * (starts.size() - 1), -1), testing::HasSubstr("do not rise from 0"));
}

TEST(Inflate, StopsAtTheBound) {
  const Bytes file = testdata_bytes("real_compressed.mat");
  const ByteSpan stream = ByteSpan(file).subspan(136);
  EXPECT_EQ(inflate_start(stream, 8)->size(), 8U);
  EXPECT_EQ(message_of(inflate_all(stream, 8)), "a variable in it is larger than 8 bytes");
  EXPECT_TRUE(inflate_all(stream, 1000));
  EXPECT_EQ(message_of(inflate_all(stream.first(20), 1000)), "its compressed data are cut short");
  EXPECT_EQ(message_of(inflate_all(bytes_of("not zlib"), 1000)), "its compressed data are broken");
}

class MatByMatio : public FolderTest {};

// Another implementation writes, ours reads.
TEST_F(MatByMatio, ReadsWhatMatioWrote) {
  Matrix values = Matrix::Random(17, 5);
  for (const auto compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    const std::string path = (folder_ / "matio.mat").string();
    mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
    ASSERT_NE(file, nullptr);
    std::size_t dimensions[] = {17, 5};
    matvar_t* variable =
        Mat_VarCreate("Z", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dimensions, values.data(), MAT_F_DONT_COPY_DATA);
    ASSERT_EQ(Mat_VarWrite(file, variable, compression), 0);
    Mat_VarFree(variable);
    Mat_Close(file);
    const auto table = parse_mat(bytes_of(file_text(path)));
    ASSERT_TRUE(table) << message_of(table);
    EXPECT_EQ(table->values, values);
  }
}

}  // namespace
}  // namespace ppdnmf::io
