#include <ppdnmf/nmf/internal/column_descent.h>

#include <gtest/gtest.h>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>
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

Answer answer(const ColumnLanes& lanes, const data::Columns& columns, const Eigen::VectorXd& squared_norms,
              const Matrix& X, const Matrix& before) {
  const ColumnStep step(lanes, {X, Effort::kUsual, 0.5}, 20, 1e-3);
  const Leaf leaf{columns, {0, columns.count()}, 1, squared_norms.data()};
  Answer got;
  got.Y = before;
  ColumnDescent(step, leaf).run(got.Y, before, got.moments);
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
    const Eigen::VectorXd squared_norms = Z.colwise().squaredNorm();
    const data::SharedColumns dense = data::view(Z);
    const data::SharedColumns sparse = data::without_zeros(dense);
    ASSERT_NE(sparse, dense);
    const Answer whole = answer(*baseline_lanes(), *dense, squared_norms, X, before);
    std::vector<const ColumnLanes*> all{baseline_lanes()};
    if (lanes_available(Lanes::kAvx2)) all.push_back(avx2_lanes());
    if (lanes_available(Lanes::kAvx512)) all.push_back(avx512_lanes());
    for (const ColumnLanes* lanes : all) {
      const Answer part = answer(*lanes, *sparse, squared_norms, X, before);
      EXPECT_TRUE(part.Y == whole.Y) << rows << " x " << count;
      EXPECT_TRUE(part.moments.S == whole.moments.S) << rows << " x " << count;
      EXPECT_TRUE(part.moments.T == whole.moments.T) << rows << " x " << count;
      EXPECT_EQ(part.moments.squared_error, whole.moments.squared_error) << rows << " x " << count;
      EXPECT_GT(part.moments.S.size(), 0);
    }
  }
}

}  // namespace
}  // namespace ppdnmf::nmf::internal
