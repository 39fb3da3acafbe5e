#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <ppdnmf/convert/h5_matrix.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/io/test_folder.h>

namespace ppdnmf::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::filesystem::path testdata(const std::string& name) {
  return std::filesystem::path(PPDNMF_CONVERT_TESTDATA) / name;
}

// The matrix of testdata/make_testdata.py: genes x cells.
Matrix genes_by_cells() {
  Matrix Z(4, 3);
  Z << 0, 3, 0, 1.5, 0, 0.25, 0, 0, 4, 2, 0, 0;
  return Z;
}

Matrix matrix_of(const io::Table& table) { return data::dense_of(*table.view()); }

TEST(H5, CellsAreColumnsWhateverTheLayout) {
  for (const char* name : {"csr.h5ad", "csc.h5ad", "dense.h5ad"}) {
    const auto table = read_h5(testdata(name), {});
    ASSERT_TRUE(table) << table.error().message;
    EXPECT_EQ(matrix_of(*table), genes_by_cells()) << name;
    EXPECT_THAT(table->row_names, ElementsAre("ENSG1", "ENSG2", "ENSG3", "ENSG4")) << name;
    EXPECT_THAT(table->column_names, ElementsAre("cell-a", "cell-b", "cell-c")) << name;
  }
}

TEST(H5, TenXFilesHaveFeaturesAndBarcodes) {
  const auto table = read_h5(testdata("10x.h5"), {});
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(matrix_of(*table), 4 * genes_by_cells());
  EXPECT_THAT(table->row_names, ElementsAre("ENSG1", "ENSG2", "ENSG3", "ENSG4"));
  EXPECT_THAT(table->column_names, ElementsAre("cell-a", "cell-b", "cell-c"));
}

TEST(H5, FilesOfOldAnnDataHaveNoNamesHere) {
  const auto table = read_h5(testdata("old.h5ad"), {});
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(matrix_of(*table), genes_by_cells());
  EXPECT_THAT(table->row_names, IsEmpty());
}

TEST(H5, EntriesOfOnePlaceAreAddedInAnyOrder) {
  const auto table = read_h5(testdata("broken_twice.h5ad"), {});
  ASSERT_TRUE(table) << table.error().message;
  Matrix Z = Matrix::Zero(4, 3);
  Z(1, 0) = 3.5;
  Z(0, 1) = 3;
  Z(2, 2) = 0.25;
  Z(1, 2) = 4;
  EXPECT_EQ(matrix_of(*table), Z);
}

TEST(H5, WhatIsWrongIsOneSentence) {
  const std::pair<const char*, const char*> wrong[] = {
      {"outside", "entry 2: the index is 4, outside 0 to 3"},
      {"negative", "entry 2: the index is -1, outside 0 to 3"},
      {"indptr", "does not rise from 0 to 5"},
      {"short_indptr", "its indptr has 3 numbers; 3 lines need 4"},
      {"lengths", "it has 5 numbers, but 4 indices"},
      {"kind", "its X is 'lil_matrix'; csr_matrix, csc_matrix and arrays can be read"},
      {"text", "its X/data is not a list of numbers"},
      {"complex", "its X is not a matrix of numbers"},
      {"nothing", "it has neither X, as AnnData's files, nor matrix"},
      {"elsewhere", "its X is a link, and links are not followed"},
      {"soft", "its X is a link, and links are not followed"},
      {"unwritten", "its X is not complete: most of it was never written"},
      {"unwritten_entries", "its X/data is not complete: most of it was never written"},
      {"long_names", "its obs/_index has texts that are too long for names"},
      {"external", "its X lies in other files"},
      {"names", "its var has no 'missing'"},
      {"lzf", "compressed in a way that cannot be read"}};
  for (const auto& [name, sentence] : wrong) {
    const std::string file = testdata("broken_" + std::string(name) + ".h5ad");
    const std::string message = io::message_of(read_h5(file, {}));
    EXPECT_THAT(message, HasSubstr(file + ": ")) << name;
    EXPECT_THAT(message, HasSubstr(sentence)) << name;
  }
}

TEST(H5, NumbersAboveTheLimitsAreRefusedBeforeMemoryIsTaken) {
  io::ReadLimits limits;
  limits.max_entries = 11;
  EXPECT_THAT(io::message_of(H5Matrix::open(testdata("dense.h5ad"), limits)), HasSubstr("4 x 3"));
  EXPECT_THAT(io::message_of(read_h5(testdata("dense.h5ad"), limits)), HasSubstr("has 12 entries; at most 11"));
  limits.max_entries = 4;
  limits.keep_sparse = true;
  EXPECT_THAT(io::message_of(H5Matrix::open(testdata("csr.h5ad"), limits)), HasSubstr("5 entries"));
  EXPECT_THAT(io::message_of(read_h5(testdata("csr.h5ad"), limits)), HasSubstr("'ppdnmf convert' makes an .npz file"));
}

using H5Files = io::FolderTest;

TEST_F(H5Files, EveryTruncationIsRefusedOrReadsAsBefore) {
  std::ifstream in(testdata("csc.h5ad"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto matrix = H5Matrix::open(part, {});
    EXPECT_FALSE(matrix) << size;
  }
  EXPECT_THAT(io::message_of(read_h5(write("text.h5ad", "cells,genes\n1,2\n"), {})),
              EndsWith("is not a complete HDF5 file"));
  EXPECT_THAT(io::message_of(read_h5(folder_ / "none.h5ad", {})), HasSubstr("No such file"));
}

}  // namespace
}  // namespace ppdnmf::convert
