// Columns kept by their nonzero entries against the same columns kept dense: every number to the bit.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include <ppdnmf/data/cap.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/nmf/exposures.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/nmf/resample.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf {
namespace {

// Whole numbers and others, with a column and a row of zeros.
Matrix mostly_zero(Index rows, Index columns, double zeros, std::uint64_t seed = 1) {
  Stream stream = test_stream(seed);
  Matrix Z = Matrix::Zero(rows, columns);
  for (Index t = 0; t < Z.size(); ++t) {
    if (stream.uniform() >= zeros) Z.data()[t] = t % 3 == 0 ? 1 + static_cast<double>(t % 5) : 3 * stream.uniform();
  }
  Z.col(columns / 2).setZero();
  Z.row(rows - 2).setZero();
  return Z;
}

struct Case {
  Index rows, columns;
  double zeros;
};

class Kinds : public ::testing::TestWithParam<Case> {
 protected:
  Matrix Z_ = mostly_zero(GetParam().rows, GetParam().columns, GetParam().zeros);
  data::SharedColumns dense_ = data::view(Z_);
  data::SharedColumns sparse_ = data::own(data::nonzeros_of(*dense_));
};

TEST_P(Kinds, HaveTheSameSums) {
  ASSERT_FALSE(data::lie_dense(*sparse_));
  EXPECT_TRUE(data::dense_of(*sparse_) == Z_);
  TestThreads threads;
  EXPECT_EQ(data::entry_sum(*sparse_), data::entry_sum(*dense_));
  EXPECT_EQ(data::entry_sum(*sparse_, threads), data::entry_sum(*dense_));
  EXPECT_EQ(data::squared_norm(*sparse_), data::squared_norm(*dense_));
  EXPECT_EQ(data::row_totals(*sparse_, 4), data::row_totals(*dense_, 4));
  EXPECT_EQ(data::column_totals(*sparse_), data::column_totals(*dense_));
  EXPECT_EQ(data::all_whole(*sparse_), data::all_whole(*dense_));
  for (const data::ColumnNorm norm : {data::ColumnNorm::kL1, data::ColumnNorm::kL2}) {
    EXPECT_TRUE(data::dense_of(*data::unit_columns(sparse_, norm)) ==
                data::dense_of(*data::unit_columns(dense_, norm)));
  }
  const double cap = data::cap_of({&dense_, 1}, 0.7).value();
  EXPECT_EQ(data::cap_of({&sparse_, 1}, 0.7).value(), cap);
  EXPECT_TRUE(data::dense_of(*data::capped_columns(sparse_, cap)) ==
              data::dense_of(*data::capped_columns(dense_, cap)));
}

TEST_P(Kinds, AnswerTheSame) {
  Stream stream = test_stream(2);
  const Matrix X = random_matrix(stream, Z_.rows(), 5);
  TestThreads threads;
  for (const LossKind kind : {LossKind::kSquares, LossKind::kPoisson}) {
    const auto loss = loss_of({.kind = kind});
    Holder a(dense_, serial_executor(), loss);
    Holder b(sparse_, serial_executor(), loss);
    Holder c(sparse_, threads, loss);
    for (Holder* holder : {&a, &b, &c}) holder->begin(5, 0.5);
    EXPECT_EQ(a.squared_norm(), b.squared_norm());
    DescentRequest request;
    request.X = X;
    request.restart = true;
    for (int n = 0; n < 3; ++n) {
      const Moments expected = a.answer(request);
      for (Holder* holder : {&b, &c}) {
        const Moments got = holder->answer(request);
        EXPECT_TRUE(got.S == expected.S && got.T == expected.T);
        EXPECT_EQ(got.squared_error, expected.squared_error);
        EXPECT_EQ(got.divergence, expected.divergence);
        EXPECT_TRUE(holder->Y() == a.Y());
      }
      request.restart = false;
      request.extrapolation = kind == LossKind::kSquares ? 0.5 : 0;
    }
  }
}

TEST_P(Kinds, AreMeasuredTheSame) {
  Stream stream = test_stream(3);
  const Matrix X = random_matrix(stream, Z_.rows(), 4);
  const Matrix Y = nonnegative_least_squares(X, Z_);
  TestThreads threads;
  EXPECT_TRUE(nonnegative_least_squares(X, *sparse_) == Y);
  EXPECT_TRUE(nonnegative_least_squares(X, *sparse_, Y, threads) == nonnegative_least_squares(X, Z_, Y));
  const LocalFit a = fit_of(X, *dense_, Y);
  const LocalFit b = fit_of(X, *sparse_, Y, threads);
  EXPECT_EQ(a.squared_error, b.squared_error);
  EXPECT_EQ(a.squared_norm, b.squared_norm);
  EXPECT_NEAR(a.squared_error, (Z_ - X * Y).squaredNorm(), 1e-11 * Z_.squaredNorm());
  EXPECT_EQ(best_error(X, *dense_), best_error(X, *sparse_, {}, threads));
  EXPECT_EQ(divergence_of(X, *dense_, Y), divergence_of(X, *sparse_, Y));
  const ColumnFits of_dense = column_fits(X, *dense_, Y, serial_executor());
  const ColumnFits of_sparse = column_fits(X, *sparse_, Y, threads);
  EXPECT_EQ(of_dense.active, of_sparse.active);
  EXPECT_EQ(of_dense.cosine, of_sparse.cosine);
  for (const LossKind kind : {LossKind::kSquares, LossKind::kPoisson}) {
    const Seed seed = Seed::from_number(7);
    EXPECT_TRUE(data::dense_of(*resampled(*sparse_, kind, seed, threads)) ==
                data::dense_of(*resampled(*dense_, kind, seed, serial_executor())));
  }
}

TEST_P(Kinds, AreFactorisedTheSame) {
  for (const Solver solver : {Solver::kFast, Solver::kAdmm}) {
    FactorizeOptions options;
    options.rank = 4;
    options.solver = solver;
    options.iterations = 8;
    options.tolerance = 0;
    auto a = Factorization::create(dense_, options, Seed::from_number(5));
    auto b = Factorization::create(sparse_, options, Seed::from_number(5));
    ASSERT_TRUE(a && b);
    while (!a->done()) ASSERT_TRUE(a->step() && b->step());
    EXPECT_TRUE(a->X() == b->X());
    EXPECT_TRUE(a->Y() == b->Y());
    EXPECT_EQ(a->relative_error(), b->relative_error());
  }
}

// Few zeros: the dense one is not condensed. Several leaves, odd sides, one row.
INSTANTIATE_TEST_SUITE_P(Shapes, Kinds,
                         ::testing::Values(Case{37, 61, 0.9}, Case{37, 61, 0.5}, Case{701, 400, 0.97},
                                           Case{9, 13, 0.7}));

TEST(SparseFit, OfAColumnThatIsFittedExactlyHasItsDigits) {
  Stream stream = test_stream(4);
  Matrix X = random_matrix(stream, 60, 2);
  X.topRows(55).setZero();
  const Matrix Y = random_matrix(stream, 2, 20);
  const Matrix Z = X * Y;
  const data::SharedColumns sparse = data::own(data::nonzeros_of(*data::view(Z)));
  EXPECT_LT(fit_of(X, *sparse, Y).squared_error, 1e-28 * Z.squaredNorm());
}

}  // namespace
}  // namespace ppdnmf::nmf
