#include <ppdnmf/convert/convert.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include <ppdnmf/convert/column_sorter.h>
#include <ppdnmf/convert/text_lines.h>
#include <ppdnmf/convert/zip_writer.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/io/csv.h>
#include <ppdnmf/io/disk_file.h>
#include <ppdnmf/io/mtx.h>
#include <ppdnmf/io/npy_header.h>
#include <ppdnmf/io/npz_columns.h>
#include <ppdnmf/io/on_disk.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/test_folder.h>

namespace ppdnmf::convert {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr Index kRows = 7;
constexpr Index kColumns = 50;

// Every third entry is not zero.
Matrix some_matrix() {
  std::mt19937 draw(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same matrix in every run
  Matrix Z = Matrix::Zero(kRows, kColumns);
  for (Index i = 0; i < Z.size(); ++i) {
    if (draw() % 3 == 0) Z.data()[i] = 0.5 + static_cast<double>(draw() % 1000) / 8;
  }
  return Z;
}

// A coordinate file, its entries shuffled.
std::string shuffled_mtx(const Matrix& Z) {
  std::vector<std::string> lines;
  for (Index m = 0; m < Z.cols(); ++m) {
    for (Index l = 0; l < Z.rows(); ++l) {
      if (Z(l, m) != 0) lines.push_back(fmt::format("{} {} {}\n", l + 1, m + 1, Z(l, m)));
    }
  }
  std::mt19937 draw(3);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
  std::shuffle(lines.begin(), lines.end(), draw);
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n% a comment\n{} {} {}\n", Z.rows(),
                                 Z.cols(), lines.size());
  for (const std::string& line : lines) text += line;
  return text;
}

class Convert : public io::FolderTest {
 protected:
  Result<Converted> run(const std::filesystem::path& from, const char* to, bool force = false) const {
    return convert({from.string(), folder_ / to, force, false, {}});
  }
  Matrix read(const char* name) const {
    const auto table = io::read_matrix(folder_ / name);
    EXPECT_TRUE(table) << table.error().message;
    return table ? table->values : Matrix();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
};

TEST_F(Convert, EveryFormatHoldsTheSameNumbers) {
  const Matrix Z = some_matrix();
  std::filesystem::path from = write("a.mtx", shuffled_mtx(Z));
  for (const char* to : {"b.npz", "c.npy", "d.csv", "e.npz", "f.mtx", "g.tsv", "h.npy"}) {
    const auto converted = run(from, to);
    ASSERT_TRUE(converted) << converted.error().message;
    EXPECT_EQ(converted->rows, kRows);
    EXPECT_EQ(converted->columns, kColumns);
    EXPECT_EQ(read(to), Z) << to;
    from = folder_ / to;
  }
  EXPECT_EQ(files(), 8U) << "nothing else is left";
}

TEST_F(Convert, ColumnsOfNothingButZerosSpoilNoSparseFile) {
  ASSERT_TRUE(run(write("a.mtx", "%%MatrixMarket matrix array real general\n1 4\n0\n3\n4\n0\n"), "b.npz"));
  const auto table = io::read_matrix(folder_ / "b.npz");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(data::dense_of(*table->view()), (Matrix(1, 4) << 0, 3, 4, 0).finished());
}

TEST_F(Convert, SparseFilesCanBeWorkedWithWhereTheyAre) {
  const Matrix Z = some_matrix();
  ASSERT_TRUE(run(write("a.mtx", shuffled_mtx(Z)), "b.npz"));
  const auto file = io::DiskFile::open(folder_ / "b.npz");
  ASSERT_TRUE(file);
  const auto opened = io::open_npz_columns(*file);
  ASSERT_TRUE(opened) << opened.error().message;
  ASSERT_NE(opened->columns, nullptr);
  EXPECT_EQ(data::dense_of(*opened->columns), Z);
  const auto stays = [&](std::uint64_t entries, std::uint64_t bytes) {
    io::ReadLimits limits;
    limits.max_entries = entries;
    limits.max_file_bytes = bytes;
    return *io::open_on_disk((folder_ / "b.npz").string(), io::OnDisk::kLarge, limits) != nullptr;
  };
  EXPECT_FALSE(stays(opened->entries, 1 << 20));
  EXPECT_TRUE(stays(opened->entries - 1, 1 << 20));
  EXPECT_TRUE(stays(opened->entries, 1000));
}

TEST_F(Convert, NamesGoWhereTheyCanBeKept) {
  const auto file = write("a.csv", "\"\",c1,\"c,2\"\r\nr1,1,2\r\nr2,3,4\r\n\r\n\r\n");
  const auto converted = run(file, "b.npy");
  ASSERT_TRUE(converted) << converted.error().message;
  EXPECT_EQ(io::file_text(folder_ / "b.rows.txt"), "r1\nr2\n");
  EXPECT_EQ(io::file_text(folder_ / "b.columns.txt"), "c1\nc,2\n");
  ASSERT_TRUE(run(file, "c.tsv"));
  const auto table = io::read_matrix(folder_ / "c.tsv");
  ASSERT_TRUE(table);
  EXPECT_THAT(table->row_names, ::testing::ElementsAre("r1", "r2"));
  EXPECT_THAT(table->column_names, ::testing::ElementsAre("c1", "c,2"));
}

TEST_F(Convert, OtherNamesAreNotWrittenOver) {
  const auto file = write("a.csv", "\"\",c1,c2\nr1,1,2\nr2,3,4\n");
  write("b.columns.txt", "of somebody else\n");
  EXPECT_THAT(io::message_of(run(file, "b.npy")), HasSubstr("b.columns.txt: is there already, with other names"));
  EXPECT_EQ(io::file_text(folder_ / "b.columns.txt"), "of somebody else\n");
  EXPECT_EQ(files(), 2U) << "neither the numbers nor the names of rows";
  ASSERT_TRUE(run(file, "b.npy", true));
  EXPECT_EQ(io::file_text(folder_ / "b.columns.txt"), "c1\nc2\n");
  EXPECT_TRUE(run(file, "b.npz")) << "the same names serve both";
}

// As scipy saves a csc matrix, whatever its indices are: five entries in two columns.
std::filesystem::path write_archive(const std::filesystem::path& path, std::int64_t row_count,
                                    const std::array<std::int32_t, 5>& row) {
  const auto list = [](std::string_view type, const auto& numbers) {
    return io::encode_npy_array(type, fmt::format("({},)", numbers.size()),
                                reinterpret_cast<const std::uint8_t*>(numbers.data()),
                                numbers.size() * sizeof numbers[0]);
  };
  const Bytes format = {'c', 's', 'c'};
  auto file = io::AtomicFile::create(path);
  EXPECT_TRUE(file);
  ZipWriter archive(std::move(*file));
  EXPECT_TRUE(archive.whole("data", list("<f8", std::array<double, 5>{2, 1, 0.5, 8, 0.25})));
  EXPECT_TRUE(archive.whole("indices", list("<i4", row)));
  EXPECT_TRUE(archive.whole("indptr", list("<i8", std::array<std::int64_t, 3>{0, 2, 5})));
  EXPECT_TRUE(archive.whole("shape", list("<i8", std::array<std::int64_t, 2>{row_count, 2})));
  EXPECT_TRUE(archive.whole("format", io::encode_npy_array("|S3", "()", format.data(), format.size())));
  EXPECT_TRUE(std::move(archive).finish());
  return path;
}

TEST_F(Convert, EntriesOfAnArchiveAreBroughtIntoOrder) {
  const auto untidy = write_archive(folder_ / "a.npz", 3, {1, 0, 2, 0, 2});
  const auto stays = io::open_on_disk(untidy.string(), io::OnDisk::kAlways);
  ASSERT_TRUE(stays);
  (void)data::dense_of(**stays);
  EXPECT_THAT(io::message_of((*stays)->unchanged()), HasSubstr("'ppdnmf convert' puts them in order"));
  const auto converted = run(untidy, "b.npz");
  ASSERT_TRUE(converted) << converted.error().message;
  Matrix Z(3, 2);
  Z << 1, 8, 2, 0, 0, 0.75;
  EXPECT_EQ(read("b.npz"), Z);
  const auto tidy = io::open_on_disk((folder_ / "b.npz").string(), io::OnDisk::kAlways);
  ASSERT_TRUE(tidy);
  EXPECT_EQ(data::dense_of(**tidy), Z);
  EXPECT_TRUE((*tidy)->unchanged());
}

TEST_F(Convert, AnArchiveThatLiesIsRefused) {
  const auto message = [&](std::int64_t rows, const std::array<std::int32_t, 5>& row) {
    return io::message_of(run(write_archive(folder_ / "a.npz", rows, row), "b.npz"));
  };
  EXPECT_THAT(message(3, {0, 1, 0, 3, 2}), EndsWith("a.npz: an index of column 2 is outside 0 to 2"));
  EXPECT_THAT(message(3, {0, -1, 0, 1, 2}), EndsWith("a.npz: an index of column 1 is outside 0 to 2"));
  // A kilobyte must not make anybody keep a number for each of two thousand million rows.
  EXPECT_THAT(message(2147483647, {0, 1, 0, 1, 2}), EndsWith("it claims 2147483647 rows with 5 entries; that is too "
                                                             "much to be worked with"));
  const auto twice = write_archive(folder_ / "a.npz", 2, {0, 1, 0, 1, 1});
  EXPECT_THAT(io::message_of(io::open_on_disk(twice.string(), io::OnDisk::kAlways)),
              HasSubstr("a.npz: column 2 has 3 entries, but there are 2 rows"));
  EXPECT_EQ(files(), 1U);
}

TEST_F(Convert, SymmetricArraysAreWrittenOut) {
  const auto file = write("a.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n");
  const auto converted = run(file, "b.npy");
  ASSERT_TRUE(converted) << converted.error().message;
  Matrix Z(2, 2);
  Z << 1, 2, 2, 3;
  EXPECT_EQ(read("b.npy"), Z);
}

TEST_F(Convert, AFailureLeavesNothingAndTakesNothingAway) {
  write("b.npz", "what was there");
  const std::string whole = shuffled_mtx(some_matrix());
  const auto cut = write("a.mtx", whole.substr(0, whole.size() - 9));
  EXPECT_THAT(io::message_of(run(cut, "b.npz")), HasSubstr("b.npz: is there already"));
  EXPECT_THAT(io::message_of(run(cut, "b.npz", true)), HasSubstr("a.mtx: it ends"));
  EXPECT_EQ(io::file_text(folder_ / "b.npz"), "what was there");
  EXPECT_THAT(io::message_of(run(write("c.csv", "1,2\n3,4\n5,x\n"), "c.npy")),
              HasSubstr("c.csv: line 3, column 2: 'x' is not a number"));
  EXPECT_THAT(io::message_of(run(write("d.csv", "1,2\n\n3,4\n"), "d.npy")), HasSubstr("d.csv: line 2: is empty"));
  EXPECT_THAT(io::message_of(run(folder_ / "c.csv", "c.csv", true)), HasSubstr("at the same time"));
  EXPECT_THAT(io::message_of(run(folder_ / "c.csv", "c.xlsx")), HasSubstr("can be written as"));
  EXPECT_THAT(io::message_of(run(folder_ / "c.csv", "no/such/folder.npy")), HasSubstr("cannot be written"));
  EXPECT_EQ(files(), 4U);
}

TEST_F(Convert, AMtxFileIsHeldAgainstWhatItClaims) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  const auto message = [&](const std::string& rest) {
    return io::message_of(run(write("a.mtx", head + rest), "a.npz", true));
  };
  EXPECT_THAT(message("2 2 1000000\n1 1 1\n"), HasSubstr("it claims 1000000 entries, but has"));
  EXPECT_THAT(message("2 2000000000 1\n1 1 1\n"), HasSubstr("that is too much to be read"));
  EXPECT_THAT(message("2 2 1\n3 1 1\n"),
              HasSubstr("line 3: the row number is '3', which is not a whole number from 1"));
  EXPECT_THAT(message("2 2 1\n1 0 1\n"), HasSubstr("the column number is '0'"));
  EXPECT_THAT(message("2 2 1\n1 1 one\n"), HasSubstr("line 3: 'one' is not a number"));
  EXPECT_THAT(message("2 2 1\n1 1 1\n2 2 2\n"), HasSubstr("line 4: '2' follows after the last entry"));
}

TEST_F(Convert, SortingNeedsNoMoreMemoryThanItWasGiven) {
  // Three entries at a time: stretches are divided again and again. Entries of one place are added in their order.
  const Matrix Z = some_matrix();
  auto sorter = ColumnSorter::create(folder_, kRows, kColumns, 10, 3);
  ASSERT_TRUE(sorter) << sorter.error().message;
  for (Index l = 0; l < kRows; ++l) {
    for (Index m = kColumns - 1; m >= 0; --m) {
      for (const double part : {0.25, 0.75}) {
        if (Z(l, m) == 0) continue;
        ASSERT_TRUE(sorter->add(static_cast<int>(l), static_cast<int>(m), part * Z(l, m)));
      }
    }
  }
  const auto sink = open_sink({folder_ / "sorted.npy", kRows, kColumns, {}, {}});
  ASSERT_TRUE(sink);
  ASSERT_TRUE(std::move(*sorter).finish(**sink, nullptr));
  ASSERT_TRUE((*sink)->finish());
  EXPECT_EQ(read("sorted.npy"), Z);
}

TEST_F(Convert, TextComesInWholeLinesHoweverLittleIsReadAtATime) {
  const std::string text = "one\n\"two\nand a half\"\nthree";
  const auto file = write("a.txt", text);
  for (const std::size_t bytes : {1U, 2U, 5U, 100U}) {
    auto lines = TextLines::open(file, ",");
    ASSERT_TRUE(lines);
    std::string all;
    for (auto next = lines->next(bytes); next && !next->empty(); next = lines->next(bytes)) {
      EXPECT_TRUE(next->back() == '\n' || all.size() + next->size() == text.size());
      EXPECT_EQ(std::count(next->begin(), next->end(), '"') % 2, 0);
      all += *next;
    }
    EXPECT_EQ(all, text);
  }
}

TEST_F(Convert, AQuoteWithinACellIsALetter) {
  const std::string lines[] = {"pipe 5\" wide,1\n", " \"name\nof \"\"two\"\" lines\",2\n", "\"\",\"\n\"\n",
                               "last,\"3\""};
  const auto file = write("a.csv", lines[0] + lines[1] + lines[2] + lines[3]);
  auto text = TextLines::open(file, ",");
  ASSERT_TRUE(text);
  for (const std::string& line : lines) {
    const auto next = text->next(1);
    ASSERT_TRUE(next);
    EXPECT_EQ(*next, line);
  }
}

}  // namespace
}  // namespace ppdnmf::convert
