#include <ppdnmf/nmf/internal/column_descent.h>

#include <gtest/gtest.h>

#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf::internal {
namespace {

Matrix mostly_zero(Stream& stream, Index rows, Index columns, double part) {
  Matrix Z = random_matrix(stream, rows, columns);
  for (Index m = 0; m < columns; ++m) {
    for (Index l = 0; l < rows; ++l) Z(l, m) = stream.uniform() < part ? Z(l, m) : 0;
  }
  return Z;
}

struct Answer {
  Matrix Y;
  Moments moments;
};

Answer answer(const ColumnLanes& lanes, const Matrix& Z, const Nonzeros* nonzeros, const Matrix& X,
              const Matrix& before) {
  Eigen::VectorXd squared_norms = Z.colwise().squaredNorm();
  Answer got;
  got.Y = before;
  got.moments = ColumnDescent(lanes, Z, nonzeros, squared_norms, {X, 20, 1e-3, 0.5, true}).run(got.Y, before);
  return got;
}

TEST(ColumnDescent, LeavingOutZerosChangesNoBit) {
  Stream stream = test_stream(1);
  for (const auto& [rows, count, rank] : {std::tuple<Index, Index, Index>{6, 1, 1},
                                          {7, 50, 3},
                                          {33, 49, 8},
                                          {96, 300, 10},
                                          {600, 130, 17},
                                          {361, 60, 49}}) {
    Matrix Z = mostly_zero(stream, rows, count, 0.1);
    Z.row(rows / 2).setZero();
    Z.col(0).setZero();
    if (count > 1) Z(rows - 1, 1) = -0.0;
    const Matrix X = mostly_zero(stream, rows, rank, 0.7);
    const Matrix before = mostly_zero(stream, rank, count, 0.7);
    const std::optional<Nonzeros> nonzeros = find_nonzeros(Z);
    ASSERT_TRUE(nonzeros);
    const Answer whole = answer(*baseline_lanes(), Z, nullptr, X, before);
    std::vector<const ColumnLanes*> all{baseline_lanes()};
    if (lanes_available(Lanes::kAvx2)) all.push_back(avx2_lanes());
    if (lanes_available(Lanes::kAvx512)) all.push_back(avx512_lanes());
    for (const ColumnLanes* lanes : all) {
      const Answer part = answer(*lanes, Z, &*nonzeros, X, before);
      EXPECT_TRUE(part.Y == whole.Y) << rows << " x " << count;
      EXPECT_TRUE(part.moments.S == whole.moments.S) << rows << " x " << count;
      EXPECT_TRUE(part.moments.T == whole.moments.T) << rows << " x " << count;
      EXPECT_EQ(part.moments.squared_error, whole.moments.squared_error) << rows << " x " << count;
      EXPECT_GT(part.moments.S.size(), 0);
    }
  }
}

TEST(ColumnDescent, NonzerosAreKeptWhereTheyAreFew) {
  Stream stream = test_stream(2);
  const Matrix Z = mostly_zero(stream, 40, 30, 0.1);
  const std::optional<Nonzeros> found = find_nonzeros(Z);
  ASSERT_TRUE(found);
  Matrix again = Matrix::Zero(40, 30);
  ASSERT_EQ(found->first.size(), 31U);
  for (Index m = 0; m < 30; ++m) {
    for (std::size_t i = found->first[m]; i < found->first[m + 1]; ++i) again(found->row[i], m) = found->value[i];
  }
  EXPECT_TRUE(again == Z);
  EXPECT_EQ(found->value.size(), static_cast<std::size_t>((Z.array() != 0).count()));
  EXPECT_FALSE(find_nonzeros(mostly_zero(stream, 40, 30, 0.5)));
}

}  // namespace
}  // namespace ppdnmf::nmf::internal
