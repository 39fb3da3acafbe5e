#include <ppdnmf/nmf/internal/row_products.h>

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/scaled.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf::internal {
namespace {

// Of so many entries of a column that they lie in every band; every fifth column has none.
data::Nonzeros some_nonzeros(Stream& stream, int rows, Index columns, double part) {
  data::Nonzeros Z;
  Z.rows = rows;
  for (Index m = 0; m < columns; ++m) {
    for (int l = 0; l < rows && m % 5 != 4; ++l) {
      if (stream.uniform() > part) continue;
      Z.row.push_back(l);
      Z.value.push_back(stream.uniform());
    }
    Z.first.push_back(Z.row.size());
  }
  return Z;
}

TEST(RowProducts, AreThoseOfAllRowsWhateverTheThreads) {
  constexpr int kRows = 300;
  constexpr Index kColumns = 70;
  Stream stream = test_stream(1);
  const data::Nonzeros Z = some_nonzeros(stream, kRows, kColumns, 0.2);
  data::Scratch scratch;
  const data::SharedColumns columns = data::view(Z);
  const data::Block block = columns->lend({0, kColumns}, scratch);
  TestThreads threads;
  for (const Index rank : {3, 16, 1101}) {  // as many as that, few rows fill a cache
    const Matrix X = random_matrix(stream, kRows, rank);
    const GroupedColumns grouped(X);
    const Index padded = grouped.groups() * kLanes;
    Matrix products = Matrix::Zero(padded, kColumns);
    for (Index m = 0; m < kColumns; ++m) {
      const std::size_t from = block.entries_before(m);
      automatic_lanes().gather(grouped.groups(), static_cast<long>(block.entries_before(m + 1) - from),
                               block.row + from, 0, block.value + from, grouped.from_row(0), grouped.group_stride(),
                               products.col(m).data());
    }
    const Matrix square = gram(automatic_lanes(), X, grouped);
    BandRoom room;
    for (Executor* executor : {&serial_executor(), static_cast<Executor*>(&threads)}) {
      Matrix got = Matrix::Constant(padded, kColumns, 7);
      EXPECT_TRUE((RowProducts{automatic_lanes(), block, X, room}.run(got.data(), *executor)) == square);
      EXPECT_TRUE(got == products);
    }
  }
}

TEST(RowProducts, PayForLongOnesWithManyEntries) {
  Stream stream = test_stream(2);
  const data::Nonzeros few = some_nonzeros(stream, 66000, 5, 0.0005);
  const data::Nonzeros many = some_nonzeros(stream, 66000, 5, 0.01);
  data::Scratch scratch;
  EXPECT_FALSE(RowProducts::pay(data::view(few)->lend({0, 5}, scratch), 8));
  EXPECT_TRUE(RowProducts::pay(data::view(many)->lend({0, 5}, scratch), 8));
  EXPECT_FALSE(RowProducts::is_long(65536, 8));
  EXPECT_TRUE(RowProducts::is_long(65536, 9));
}

// By bands, or all at once since there are few entries. Columns that are put together whenever they are lent go leaf by
// leaf.
TEST(RowProducts, LeadToTheAnswersOfLeavesInNewMemoryAndOld) {
  constexpr Index kRank = 9;
  constexpr Index kColumns = 20;
  TestThreads threads;
  for (const double part : {0.0005, 0.01}) {
    Stream stream = test_stream(3);
    const data::Nonzeros Z = some_nonzeros(stream, 66000, kColumns, part);
    data::Nonzeros halves = Z;
    for (double& value : halves.value) value /= 2;
    const data::SharedColumns lent = data::scaled_columns(data::view(halves), std::vector<double>(kColumns, 2));
    ASSERT_FALSE(data::lie_as_lent(*lent));
    Holder a(lent);
    Holder b(data::view(Z));
    Holder c(data::view(Z), threads);
    DescentRequest request;
    request.X = random_matrix(stream, 66000, kRank);
    request.restart = true;
    for (Holder* holder : {&a, &b, &c}) holder->begin(kRank, 2);
    for (int n = 0; n < 4; ++n) {
      request.measure_only = n == 3;
      const Moments expected = a.answer(request);
      for (Holder* holder : {&b, &c}) {
        Moments got = holder->answer(request);
        EXPECT_TRUE(n == 3 || (got.S == expected.S && got.T == expected.T));
        EXPECT_EQ(got.squared_error, expected.squared_error);
        EXPECT_TRUE(holder->Y() == 2 * a.Y());
        holder->take_memory(std::move(got));
      }
      request.restart = false;
      request.extrapolation = 0.5;
      request.X = random_matrix(stream, 66000, kRank);
    }
  }
}

}  // namespace
}  // namespace ppdnmf::nmf::internal
