#include <ppdnmf/io/read_matrix.h>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cstdlib>

#include <ppdnmf/io/test_files.h>

namespace ppdnmf::io {
namespace {

class ReadMatrix : public FolderTest {
 protected:
  std::string refusal(const std::filesystem::path& path) const {
    const auto table = read_matrix(path);
    if (table) return "";
    EXPECT_EQ(table.error().code, ErrorCode::kFile);
    // The path stands in front; the rest is what the tests below say.
    EXPECT_EQ(table.error().message.rfind(path.string(), 0), 0U) << table.error().message;
    return table.error().message.substr(std::min(path.string().size(), table.error().message.size()));
  }
};

TEST_F(ReadMatrix, ChoosesByExtensionOrFolder) {
  (void)write("a.pgm", "P2 1 1 4 1");
  EXPECT_EQ(read_matrix(folder_)->values(0, 0), 0.25);
  EXPECT_EQ(read_matrix(testdata("real_f8.npy"))->values, real_matrix());
  EXPECT_EQ(read_matrix(testdata("real_array.mtx"))->values, real_matrix());
  EXPECT_EQ(read_matrix(testdata("real.mat"))->values, real_matrix());
  EXPECT_EQ(read_matrix(testdata("several.mat").string() + ":B")->values, counts_matrix());
  EXPECT_EQ(read_matrix(write("a.CSV", "0,1.5,2\n3,.25,5\n"))->values, real_matrix());
  EXPECT_EQ(read_matrix(write("a.tsv", "0\t1.5\t2\n3\t.25\t5\n"))->values, real_matrix());
}

TEST_F(ReadMatrix, RefusesInASentence) {
  EXPECT_EQ(refusal(folder_ / "none.npy"), ": cannot be opened: No such file or directory");
  EXPECT_EQ(refusal(folder_ / "none"), ": there is no such file or folder");
  EXPECT_EQ(refusal(write("a.xlsx", "PK")),
            ": is not a .npy, .npz, .csv, .tsv, .mtx, .mat, .h5ad or .h5 file, or a folder of .pgm images");
  EXPECT_EQ(refusal(write("a.H5AD", "HDF")),
            ": HDF5 files are read only as data: write it in another format with 'ppdnmf convert'");
  EXPECT_EQ(refusal(folder_), ": the folder holds no .pgm image");
  for (const char* name : {"a.npy", "a.npz", "a.csv", "a.tsv", "a.mtx", "a.mat"})
    EXPECT_EQ(refusal(write(name, "")), ": is empty");
  EXPECT_EQ(refusal(write("b.csv", "1,2\n3\n")), ": line 2: has 1 cells where 2 are expected");
  EXPECT_EQ(message_of(read_matrix(testdata("several.mat").string() + ":D")),
            testdata("several.mat").string() +
                ":D: it holds no variable 'D'; its matrices are: A, B, logical_one, "
                "a_name_of_more_than_four");
}

// Larger than what is read at a time, in both orders, with lines that do not divide it.
TEST_F(ReadMatrix, ALongNpyFileIsWhatItsBytesSay) {
  for (const char* order : {"True", "False"}) {
    for (const auto& [rows, columns] : {std::pair<Index, Index>{300001, 1}, {1, 300001}, {777, 401}, {401, 777}}) {
      std::string text = "\x93NUMPY\x01";
      text += '\0';
      std::string header =
          fmt::format("{{'descr': '<f4', 'fortran_order': {}, 'shape': ({}, {}), }}", order, rows, columns);
      text += static_cast<char>(header.size());
      text += '\0';
      text += header;
      Matrix wanted(rows, columns);
      for (Index t = 0; t < wanted.size(); ++t) {
        const auto value = static_cast<float>(t % 10007);
        text.append(reinterpret_cast<const char*>(&value), sizeof value);
        if (std::string_view(order) == "True") {
          wanted.data()[t] = value;
        } else {
          wanted(t / columns, t % columns) = value;
        }
      }
      const auto table = read_matrix(write("long.npy", text));
      ASSERT_TRUE(table) << message_of(table);
      EXPECT_TRUE(table->values == wanted) << rows << " x " << columns << ' ' << order;
      EXPECT_EQ(refusal(write("short.npy", text.substr(0, text.size() - 1))),
                fmt::format(": {} x {} numbers need {} bytes, but {} are there: it is not complete", rows, columns,
                            4 * rows * columns, 4 * rows * columns - 1));
    }
  }
}

TEST_F(ReadMatrix, RefusesWhatIsNoRegularFileWithoutWaiting) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe.csv").c_str(), 0600), 0);
  EXPECT_EQ(refusal(folder_ / "pipe.csv"), ": is not a regular file");
}

TEST_F(ReadMatrix, RefusesAFileThatIsTooLong) {
  EXPECT_EQ(message_of(read_matrix(testdata("real_f8.npy"), {.max_file_bytes = 10})),
            testdata("real_f8.npy").string() + ": has 176 bytes; at most 10 can be read");
}

TEST_F(ReadMatrix, RefusesAFileThatMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const auto path = write("a.csv", "1\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_EQ(refusal(path), ": cannot be opened: Permission denied");
}

// Real data are not part of the project: they are read if PPDNMF_DATA or ../shared/data has them.
class RealData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("PPDNMF_DATA");
    data_ = folder != nullptr ? folder : PPDNMF_SHARED_DATA;
    if (!std::filesystem::exists(data_)) GTEST_SKIP() << "no real data: " << data_ << " does not exist";
  }
  std::filesystem::path data_;
};

TEST_F(RealData, MutationCountsAreTheSameInBothFormats) {
  const auto csv = read_matrix(data_ / "mutational_signatures/brca21_sbs96.csv");
  const auto npy = read_matrix(data_ / "mutational_signatures/brca21_sbs96.npy");
  ASSERT_TRUE(csv && npy) << message_of(csv) << message_of(npy);
  EXPECT_EQ(csv->values, npy->values);
  EXPECT_EQ(csv->values.sum(), 183916);
  EXPECT_EQ(csv->values.cols(), 21);
  EXPECT_EQ(csv->row_names.at(95), "T[T>G]T");
  EXPECT_EQ(csv->column_names.at(0), "PD3851a");
}

TEST_F(RealData, Faces) {
  const auto faces = read_matrix(data_ / "cbcl_faces/faces_u8.npy");
  ASSERT_TRUE(faces) << message_of(faces);
  EXPECT_EQ(faces->values.rows(), 361);
  EXPECT_EQ(faces->values.cols(), 2429);
  EXPECT_EQ(faces->values.maxCoeff(), 255);
}

TEST_F(RealData, Documents) {
  const auto counts = read_matrix(data_ / "reuters21578/reuters_top10_1000terms.mtx");
  ASSERT_TRUE(counts) << message_of(counts);
  EXPECT_EQ(counts->values.rows(), 1000);
  EXPECT_EQ(counts->values.cols(), 7285);
  EXPECT_EQ((counts->values.array() > 0).count(), 209720);
  EXPECT_EQ(counts->values.maxCoeff(), 47);
}

}  // namespace
}  // namespace ppdnmf::io
