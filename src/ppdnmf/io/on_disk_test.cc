#include <ppdnmf/io/on_disk.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/npy_header.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/test_folder.h>

namespace ppdnmf::io {
namespace {

using ::testing::HasSubstr;

constexpr Index kRows = 5;
constexpr Index kColumns = 23;

Matrix whole_numbers() {
  Matrix Z(kRows, kColumns);
  for (Index i = 0; i < Z.size(); ++i) Z.data()[i] = static_cast<double>(i * 7 % 100);
  return Z;
}

// Numbers of another type, perhaps with their bytes turned round.
template <typename T>
std::string npy_of(const Matrix& Z, const std::string& type, bool by_columns) {
  std::string numbers;
  const Index lines = by_columns ? Z.cols() : Z.rows();
  const Index line = by_columns ? Z.rows() : Z.cols();
  for (Index i = 0; i < lines; ++i) {
    for (Index j = 0; j < line; ++j) {
      const T value = static_cast<T>(by_columns ? Z(j, i) : Z(i, j));
      char bytes[sizeof(T)];
      std::memcpy(bytes, &value, sizeof(T));
      if (type[0] == '>') std::reverse(bytes, bytes + sizeof(T));
      numbers.append(bytes, sizeof(T));
    }
  }
  const Bytes file =
      encode_npy_array(type, fmt::format("({}, {})", Z.rows(), Z.cols()),
                       reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size(), by_columns);
  return {file.begin(), file.end()};
}

// Lent a few at a time, in another order than they stand.
Matrix lent(const data::Columns& columns) {
  Matrix Z(columns.rows(), columns.count());
  data::Scratch scratch;
  constexpr Index kSome = 4;
  for (Index end = columns.count(); end > 0; end -= std::min(end, kSome)) {
    const Index first = std::max<Index>(0, end - kSome);
    const data::Block block = columns.lend({first, end - first}, scratch);
    std::vector<double> space;
    for (Index m = 0; m < block.count; ++m)
      std::copy_n(data::dense_column(block, m, space), block.rows, Z.col(first + m).data());
  }
  return Z;
}

class OnDiskFiles : public FolderTest {
 protected:
  data::SharedColumns open(const std::string& name, const std::string& content) const {
    auto columns = open_on_disk(write(name, content).string(), OnDisk::kAlways);
    EXPECT_TRUE(columns) << columns.error().message;
    return columns ? *columns : nullptr;
  }
  static std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }
};

TEST_F(OnDiskFiles, NumbersOfEveryTypeAndOrderAreThoseInMemory) {
  const Matrix Z = whole_numbers();
  for (const bool by_columns : {true, false}) {
    const std::string files[] = {
        npy_of<double>(Z, "<f8", by_columns),        npy_of<float>(Z, "<f4", by_columns),
        npy_of<std::uint8_t>(Z, "|u1", by_columns),  npy_of<std::uint16_t>(Z, ">u2", by_columns),
        npy_of<std::uint32_t>(Z, "<u4", by_columns), npy_of<std::uint64_t>(Z, ">u8", by_columns),
        npy_of<double>(Z, ">f8", by_columns),        npy_of<std::int16_t>(Z, "<i2", by_columns)};
    for (const std::string& file : files) {
      const data::SharedColumns columns = open("a.npy", file);
      EXPECT_FALSE(columns->in_memory());
      EXPECT_EQ(lent(*columns), Z);
      const auto in_memory = read_npy(folder_ / "a.npy");
      ASSERT_TRUE(in_memory);
      Table on_disk;
      on_disk.on_disk = columns;
      EXPECT_EQ(values_digest(on_disk), values_digest(*in_memory));
    }
  }
}

TEST_F(OnDiskFiles, OnlyWhatIsTooLargeForMemoryStaysUnlessAllIsMeantTo) {
  const std::string file = write("a.npy", text_of(encode_npy(whole_numbers())));
  ReadLimits limits;
  EXPECT_EQ(*open_on_disk(file, OnDisk::kLarge, limits), nullptr);
  EXPECT_EQ(*open_on_disk(file, OnDisk::kNever, limits), nullptr);
  limits.max_entries = kRows * kColumns - 1;
  EXPECT_NE(*open_on_disk(file, OnDisk::kLarge, limits), nullptr);
  limits.max_entries = kRows * kColumns;
  limits.max_file_bytes = 1000;
  EXPECT_NE(*open_on_disk(file, OnDisk::kLarge, limits), nullptr);
  EXPECT_THAT(message_of(open_on_disk(write("a.csv", "1,2\n"), OnDisk::kAlways)),
              HasSubstr("a.csv: cannot be worked with where it is"));
}

TEST_F(OnDiskFiles, AFileThatIsCutGivesZerosAndASentence) {
  const data::SharedColumns columns = open("a.npy", text_of(encode_npy(whole_numbers())));
  EXPECT_TRUE(columns->unchanged());
  std::filesystem::resize_file(folder_ / "a.npy", 128 + 8 * kRows * 10);
  const Matrix Z = lent(*columns);
  EXPECT_TRUE((Z.rightCols(kColumns - 12).array() == 0).all());
  EXPECT_THAT(message_of(columns->unchanged()), HasSubstr("a.npy: became shorter while it was used; begin again"));
  write("a.npy", text_of(encode_npy(whole_numbers())));
  EXPECT_FALSE(columns->unchanged()) << "what was read in between is not forgotten";
}

TEST_F(OnDiskFiles, AFileThatIsWrittenIntoIsNoticedAndOneThatIsReplacedDoesNotMatter) {
  const std::string content = text_of(encode_npy(whole_numbers()));
  const data::SharedColumns columns = open("a.npy", content);
  write("b.npy", text_of(encode_npy(2 * whole_numbers())));
  std::filesystem::rename(folder_ / "b.npy", folder_ / "a.npy");
  EXPECT_TRUE(columns->unchanged());
  EXPECT_EQ(lent(*columns), whole_numbers());

  const data::SharedColumns written = open("c.npy", content);
  const auto before = std::filesystem::last_write_time(folder_ / "c.npy");
  write("c.npy", content);
  std::filesystem::last_write_time(folder_ / "c.npy", before + std::chrono::milliseconds(1));
  EXPECT_THAT(message_of(written->unchanged()), HasSubstr("c.npy: was changed while it was used"));
  const data::SharedColumns longer = open("d.npy", content);
  write("d.npy", content + "x");
  EXPECT_THAT(message_of(longer->unchanged()), HasSubstr("d.npy: became longer"));
}

TEST_F(OnDiskFiles, AFileIsHeldAgainstItsHeader) {
  const std::string content = text_of(encode_npy(whole_numbers()));
  for (const std::size_t size : {0U, 9U, 64U, 128U, 500U}) {
    const std::string file = write("a.npy", content.substr(0, size));
    EXPECT_THAT(message_of(open_on_disk(file, OnDisk::kAlways)), HasSubstr("a.npy: ")) << size;
  }
  const Bytes huge = encode_npy_array("<f8", "(4294967296, 4294967296)", nullptr, 0, true);
  EXPECT_FALSE(open_on_disk(write("a.npy", text_of(huge)), OnDisk::kAlways));
}

TEST_F(OnDiskFiles, ChecksSayWhatTheySayInMemory) {
  Matrix Z = whole_numbers();
  Z.row(3).setZero();
  Z.col(2).setZero();
  const auto both = [&](bool clip, bool missing) {
    const std::string file = write("a.npy", text_of(encode_npy(Z)));
    ColumnJoiner joiner(clip, missing);
    const Status read = joiner.read(file);
    const auto on_disk = join_on_disk({file}, OnDisk::kAlways, clip, missing);
    EXPECT_EQ(message_of(read), message_of(on_disk));
    if (!read || !on_disk) return;
    const auto in_memory = std::move(joiner).take();
    ASSERT_TRUE(in_memory);
    ASSERT_TRUE(*on_disk);
    EXPECT_EQ(in_memory->notes, (*on_disk)->notes);
    EXPECT_EQ(in_memory->columns, (*on_disk)->columns);
    const data::SharedColumns a = in_memory->table.view();
    const data::SharedColumns b = (*on_disk)->table.view();
    EXPECT_EQ(lent(*a), lent(*b));
    EXPECT_EQ(data::has_gaps(*a), data::has_gaps(*b));
    EXPECT_EQ(data::present_counts(*a), data::present_counts(*b));
    // A part without gaps has none, as in memory.
    EXPECT_EQ(data::has_gaps(*in_memory->table.view({0, 3})), data::has_gaps(*(*on_disk)->table.view({0, 3})));
  };
  both(false, false);
  Z(1, 7) = -2;
  Z(0, 9) = -0.0;
  both(false, false);
  both(true, false);
  Z(2, 11) = std::numeric_limits<double>::quiet_NaN();
  both(true, false);
  both(true, true);
  Z(2, 12) = std::numeric_limits<double>::infinity();
  both(true, true);
  Z = whole_numbers() * 1e150;
  both(false, false);
}

TEST_F(OnDiskFiles, SeveralFilesAreOneMatrix) {
  const Matrix Z = whole_numbers();
  const std::string first = write("a.npy", text_of(encode_npy(Z.leftCols(6))));
  const std::string second = write("b.npy", npy_of<float>(Z.middleCols(6, 1), "<f4", true));
  const std::string third = write("c.npy", npy_of<std::uint8_t>(Z.rightCols(kColumns - 7), "|u1", false));
  const auto joined = join_on_disk({first, second, third}, OnDisk::kAlways, false, false);
  ASSERT_TRUE(joined) << joined.error().message;
  EXPECT_THAT((*joined)->columns, ::testing::ElementsAre(6, 1, kColumns - 7));
  EXPECT_EQ(lent(*(*joined)->table.on_disk), Z);
  EXPECT_EQ(lent(*(*joined)->table.view({4, 9})), Z.middleCols(4, 9));
  // Lent through another kind of columns, whose memory is another's, too.
  EXPECT_EQ(lent(*data::unit_columns((*joined)->table.view(), data::ColumnNorm::kL1)),
            lent(*data::unit_columns(data::own(Z), data::ColumnNorm::kL1)));
  const std::string other = write("d.npy", text_of(encode_npy(Matrix::Ones(4, 2))));
  EXPECT_THAT(message_of(join_on_disk({first, other}, OnDisk::kAlways, false, false)),
              HasSubstr("a.npy has 5 rows and"));
  std::filesystem::resize_file(second, 100);
  EXPECT_FALSE((*joined)->table.unchanged());
}

}  // namespace
}  // namespace ppdnmf::io
