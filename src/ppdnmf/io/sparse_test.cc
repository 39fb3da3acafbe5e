#include <ppdnmf/io/sparse.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include <ppdnmf/io/join.h>
#include <ppdnmf/io/mtx.h>
#include <ppdnmf/io/validate.h>

namespace ppdnmf::io {
namespace {

using ::testing::HasSubstr;

ByteSpan bytes_of(const std::string& text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

ReadLimits sparse() {
  ReadLimits limits;
  limits.keep_sparse = true;
  return limits;
}

// 6 x 5, seven entries that are not zero, in no order; one place twice, one entry a zero, two that cancel each other.
const char* const kText =
    "%%MatrixMarket matrix coordinate real general\n6 5 9\n"
    "6 5 1.5\n2 1 4\n1 1 3\n2 1 0.5\n3 3 0\n5 2 2\n4 2 7\n4 4 1\n4 4 -1\n";

TEST(Sparse, KeptEntriesAreThoseOfTheMatrixWrittenOut) {
  const auto dense = parse_mtx(bytes_of(kText));
  const auto kept = parse_mtx(bytes_of(kText), sparse());
  ASSERT_TRUE(dense && kept);
  EXPECT_FALSE(dense->nonzeros);
  ASSERT_TRUE(kept->nonzeros);
  EXPECT_EQ(kept->values.size(), 0);
  EXPECT_EQ(kept->rows(), 6);
  EXPECT_EQ(kept->columns(), 5);
  EXPECT_EQ(kept->nonzeros->row, (std::vector<int>{0, 1, 3, 4, 5}));
  EXPECT_EQ(kept->nonzeros->value, (std::vector<double>{3, 4.5, 7, 2, 1.5}));
  EXPECT_TRUE(data::dense_of(*kept->view()) == dense->values);
  EXPECT_TRUE(data::dense_of(*kept->view({1, 2})) == dense->values.middleCols(1, 2));
}

TEST(Sparse, WhatIsNotSparseIsWrittenOut) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 1\n2 2 1\n";
  const auto table = parse_mtx(bytes_of(text), sparse());
  ASSERT_TRUE(table);
  EXPECT_FALSE(table->nonzeros);
  EXPECT_EQ(table->values.sum(), 3);
}

TEST(Sparse, MayBeLargerThanAnyMatrixWrittenOut) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n900000 900000 1\n900000 900000 2\n";
  EXPECT_FALSE(parse_mtx(bytes_of(text)));
  auto table = parse_mtx(bytes_of(text), sparse());
  ASSERT_TRUE(table);
  EXPECT_EQ(table->columns(), 900000);
  EXPECT_FALSE(write_out(*table));
  for (const char* lie : {"900000000 2", "2 900000000", "2 3000000000"}) {
    const std::string claim = std::string("%%MatrixMarket matrix coordinate real general\n") + lie + " 1\n1 1 2\n";
    const auto refused = parse_mtx(bytes_of(claim), sparse());
    ASSERT_FALSE(refused) << lie;
    EXPECT_THAT(refused.error().message, HasSubstr("it claims"));
  }
}

TEST(Sparse, WrittenFilesReadBackToTheBit) {
  data::Nonzeros Z;
  Z.rows = 40;
  for (int m = 0; m < 30; ++m) {
    Z.row.push_back(m);
    Z.value.push_back(0.1 / (m + 3));
    Z.first.push_back(Z.row.size());
  }
  const auto back = parse_mtx(bytes_of(format_mtx(*data::view(Z))), sparse());
  ASSERT_TRUE(back && back->nonzeros);
  EXPECT_EQ(back->nonzeros->row, Z.row);
  EXPECT_EQ(back->nonzeros->value, Z.value);
  EXPECT_EQ(back->nonzeros->first, Z.first);
  Table other = *back;
  EXPECT_EQ(values_digest(other), values_digest(*back));
  other.nonzeros->value[3] += 1;
  EXPECT_NE(values_digest(other), values_digest(*back));
}

TEST(Sparse, ChecksSayWhatTheySayOfAMatrix) {
  for (const char* entry : {"-2", "nan", "inf", "1e200", "3"}) {
    const std::string text =
        std::string("%%MatrixMarket matrix coordinate real general\n6 5 2\n2 2 1\n4 3 ") + entry + "\n";
    auto dense = parse_mtx(bytes_of(text));
    auto kept = parse_mtx(bytes_of(text), sparse());
    ASSERT_TRUE(dense && kept && kept->nonzeros) << entry;
    for (const bool clip : {false, true}) {
      const auto a = check_nonnegative(*dense, "data", clip);
      const auto b = check_nonnegative(*kept, "data", clip);
      ASSERT_EQ(a.has_value(), b.has_value()) << entry;
      if (!a) {
        EXPECT_EQ(a.error().message, b.error().message);
        continue;
      }
      EXPECT_EQ(a->notes, b->notes);
      EXPECT_TRUE(data::dense_of(*b->table.view()) == a->table.values);
    }
  }
}

TEST(Sparse, FilesJoinAsTheyWouldWrittenOut) {
  Table full;
  full.values = Matrix::Constant(6, 30, 0.25);
  full.values(2, 7) = 0;
  Table few;
  few.values = Matrix::Zero(6, 2);
  few.values(5, 1) = 3;
  for (const Table* other : {&full, &few}) {
    for (const bool first : {false, true}) {
      ColumnJoiner joiner(true);
      ColumnJoiner written_out(true);
      if (first) {
        ASSERT_TRUE(joiner.add("other", *other) && written_out.add("other", *other));
      }
      ASSERT_TRUE(joiner.add("mtx", *parse_mtx(bytes_of(kText), sparse())));
      ASSERT_TRUE(written_out.add("mtx", *parse_mtx(bytes_of(kText))));
      if (!first) {
        ASSERT_TRUE(joiner.add("other", *other) && written_out.add("other", *other));
      }
      const auto joined = std::move(joiner).take();
      const auto expected = std::move(written_out).take();
      ASSERT_TRUE(joined && expected);
      EXPECT_EQ(joined->table.nonzeros.has_value(), other == &few);
      EXPECT_TRUE(data::dense_of(*joined->table.view()) == expected->table.values);
      EXPECT_EQ(joined->columns, expected->columns);
      EXPECT_EQ(joined->notes, expected->notes);
    }
  }
}

TEST(Sparse, RowsAreBroughtIntoAnotherOrder) {
  auto table = parse_mtx(bytes_of(kText), sparse());
  ASSERT_TRUE(table && table->nonzeros);
  const Matrix before = data::dense_of(*table->view());
  const std::vector<Index> order{5, 3, 1, 0, 2, 4};
  reorder_rows(*table->nonzeros, order);
  EXPECT_TRUE(data::dense_of(*table->view()) == Matrix(before(order, Eigen::all)));
}

// In the memory that they have, and those of one place in the order in which they came.
TEST(Sparse, EntriesInAnyOrderAreCompressed) {
  constexpr int kRows = 40;
  constexpr int kCount = 30;
  Matrix Z = Matrix::Zero(kRows, kCount);
  Entries entries;
  for (int i = 0; i < 2000; ++i) {
    const int row = i * 7919 % 104729 % kRows;
    const int column = i * 104729 % 7919 % (kCount - 1);  // the last one stays empty
    const double value = 1.0 / (1 + i % 17);
    entries.row.push_back(row);
    entries.column.push_back(column);
    entries.value.push_back(value);
    Z(row, column) += value;
  }
  const double* const memory = entries.value.data();
  const data::Nonzeros compressed = compress(kRows, kCount, std::move(entries));
  EXPECT_EQ(compressed.value.data(), memory);
  EXPECT_TRUE(data::dense_of(*data::view(compressed)) == Z);
  for (std::size_t m = 0; m < kCount; ++m) {
    EXPECT_TRUE(std::is_sorted(compressed.row.begin() + static_cast<std::ptrdiff_t>(compressed.first[m]),
                               compressed.row.begin() + static_cast<std::ptrdiff_t>(compressed.first[m + 1])));
  }
}

}  // namespace
}  // namespace ppdnmf::io
