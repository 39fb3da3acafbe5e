#include <ppdnmf/nmf/holder.h>

#include <gtest/gtest.h>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/nmf/admm_y_step.h>
#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf {
namespace {

std::unique_ptr<Holder> begun(const Matrix& Z, Index rank, double scale = 1) {
  auto columns = dense_holder(Z);
  columns->begin(rank, scale);
  return columns;
}

DescentRequest fresh(const Matrix& X) {
  DescentRequest request;
  request.X = X;
  request.restart = true;
  return request;
}

DescentRequest next(const Matrix& X, double extrapolation = 0) {
  DescentRequest request;
  request.X = X;
  request.extrapolation = extrapolation;
  return request;
}

TEST(Holder, MomentsAreThoseOfTheirOwnY) {
  Stream stream = test_stream(1);
  for (const auto& [rows, count, rank] :
       {std::tuple<Index, Index, Index>{1, 1, 1}, {7, 5, 3}, {8, 48, 8}, {33, 49, 6}, {361, 250, 9}, {600, 17, 13}}) {
    const Matrix Z = random_matrix(stream, rows, count);
    const Matrix X = random_matrix(stream, rows, rank);
    const auto columns = begun(Z, rank);
    const Moments m = columns->answer(fresh(X));
    const Matrix Y = columns->Y();
    EXPECT_GE(Y.minCoeff(), 0);
    EXPECT_LT((m.S - Z * Y.transpose()).cwiseAbs().maxCoeff(), 1e-10) << rows << " x " << count;
    EXPECT_LT((m.T - Y * Y.transpose()).cwiseAbs().maxCoeff(), 1e-10);
    EXPECT_TRUE(m.T == m.T.transpose());
    EXPECT_NEAR(m.squared_error, (Z - X * Y).squaredNorm(), 1e-10 * Z.squaredNorm());
    EXPECT_NEAR(columns->squared_norm(), Z.squaredNorm(), 1e-12 * Z.squaredNorm());
  }
}

TEST(Holder, AnsweringAgainComesToTheLeastSquares) {
  Stream stream = test_stream(2);
  const Matrix Z = random_matrix(stream, 30, 40);
  const Matrix X = random_matrix(stream, 30, 5);
  const auto columns = begun(Z, 5);
  double last = columns->answer(fresh(X)).squared_error;
  for (int n = 0; n < 40; ++n) {
    const double now = columns->answer(next(X)).squared_error;
    EXPECT_LE(now, last * (1 + 1e-14));
    last = now;
  }
  EXPECT_LT((columns->Y() - nonnegative_least_squares(X, Z)).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(Holder, AColumnDoesNotKnowTheOthers) {
  Stream stream = test_stream(3);
  const Matrix Z = random_matrix(stream, 20, 300);
  const Matrix X1 = random_matrix(stream, 20, 6);
  const Matrix X2 = X1 + 0.1 * random_matrix(stream, 20, 6);
  const auto together = begun(Z, 6);
  (void)together->answer(fresh(X1));
  (void)together->answer(next(X2, 0.5));
  (void)together->answer(next(X1, 0.4));
  const Matrix all = together->Y();
  Index first = 0;
  for (const Index count : {1, 2, 15, 16, 17, 100, 149}) {
    const auto part = begun(Z.middleCols(first, count), 6);
    (void)part->answer(fresh(X1));
    (void)part->answer(next(X2, 0.5));
    (void)part->answer(next(X1, 0.4));
    EXPECT_TRUE(part->Y() == all.middleCols(first, count)) << first;
    first += count;
  }
  ASSERT_EQ(first, Z.cols());
}

TEST(Holder, ExtrapolationMovesSAndTAlone) {
  Stream stream = test_stream(4);
  const Matrix Z = random_matrix(stream, 12, 20);
  const Matrix X1 = random_matrix(stream, 12, 3);
  const Matrix X2 = X1 + random_matrix(stream, 12, 3);
  const auto columns = begun(Z, 3);
  (void)columns->answer(fresh(X1));
  const Matrix before = columns->Y();
  const Moments m = columns->answer(next(X2, 0.7));
  const Matrix Y = columns->Y();
  const Matrix further = (Y + 0.7 * (Y - before)).cwiseMax(0);
  EXPECT_LT((m.S - Z * further.transpose()).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((m.T - further * further.transpose()).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(m.squared_error, (Z - X2 * Y).squaredNorm(), 1e-10);
}

TEST(Holder, WhatIsTakenBackLeavesNoTrace) {
  Stream stream = test_stream(5);
  const Matrix Z = random_matrix(stream, 12, 20);
  const Matrix X1 = random_matrix(stream, 12, 3);
  const Matrix X2 = X1 + random_matrix(stream, 12, 3);
  const auto straight = begun(Z, 3);
  const auto detour = begun(Z, 3);
  (void)straight->answer(fresh(X1));
  (void)detour->answer(fresh(X1));
  const Matrix accepted = detour->Y();
  (void)detour->answer(next(X2, 0.5));
  DescentRequest back = next(X1);
  back.take_back = true;
  (void)straight->answer(next(X1));
  (void)detour->answer(back);
  EXPECT_TRUE(straight->Y() == detour->Y());

  (void)straight->answer(next(X2, 0.5));
  straight->settle(false);
  EXPECT_TRUE(straight->Y() == detour->Y());
  (void)detour->answer(next(X2, 0.5));
  detour->settle(true);
  EXPECT_FALSE(straight->Y() == detour->Y());
}

TEST(Holder, ANearlyExactFitKeepsItsDigits) {
  Stream stream = test_stream(6);
  const Matrix X = random_matrix(stream, 40, 3);
  const Matrix Z = X * random_matrix(stream, 3, 9);
  const auto columns = begun(Z, 3);
  double error = columns->answer(fresh(X)).squared_error;
  for (int n = 0; n < 60; ++n) error = columns->answer(next(X)).squared_error;
  const double direct = (Z - X * columns->Y()).squaredNorm();
  EXPECT_LT(error, 1e-20 * Z.squaredNorm());
  EXPECT_NEAR(error, direct, 0.5 * direct + 1e-28);
}

TEST(Holder, NothingIsDividedByNothing) {
  Stream stream = test_stream(7);
  Matrix Z = random_matrix(stream, 9, 5);
  Z.col(2).setZero();
  Z.row(4).setZero();
  Matrix X = random_matrix(stream, 9, 4);
  X.col(1).setZero();
  const auto columns = begun(Z, 4);
  for (const Matrix& factor : {X, Matrix(Matrix::Zero(9, 4)), X}) {
    const Moments m = columns->answer(factor == X ? fresh(factor) : next(factor, 1));
    EXPECT_TRUE(m.S.allFinite() && m.T.allFinite() && columns->all_finite());
    EXPECT_GE(m.squared_error, 0);
  }
  EXPECT_EQ(columns->Y().col(2).maxCoeff(), 0);
}

TEST(Holder, TheUnitOfTheDataDoesNotMatter) {
  Stream stream = test_stream(8);
  const Matrix Z = random_matrix(stream, 9, 5);
  const Matrix X = random_matrix(stream, 9, 2);
  const auto one = begun(Z, 2);
  const auto other = begun(0x1p300 * Z, 2, 0x1p300);
  EXPECT_EQ(one->answer(fresh(X)).squared_error, other->answer(fresh(X)).squared_error);
  EXPECT_TRUE(0x1p300 * one->Y() == other->Y());
  EXPECT_NEAR(other->entry_sum() / 0x1p300, Z.sum(), 1e-12);
}

TEST(Holder, LoadedOnesGoOnToTheSameBytes) {
  Stream stream = test_stream(10);
  const Matrix Z = random_matrix(stream, 9, 20);
  const Matrix X1 = random_matrix(stream, 9, 3);
  const Matrix X2 = random_matrix(stream, 9, 3);
  const auto columns = begun(Z, 3);
  (void)columns->answer(fresh(X1));
  (void)columns->answer(next(X2, 0.5));
  ByteWriter out;
  columns->save(out);
  Bytes saved = out.take();
  DescentRequest back = next(X1);
  back.take_back = true;
  for (const DescentRequest& request : {next(X1, 0.3), back}) {
    const auto one = begun(Z, 3);
    const auto two = begun(Z, 3);
    for (Holder* loaded : {one.get(), two.get()}) {
      ByteReader in(saved);
      loaded->load(in);
      ASSERT_TRUE(in.status());
      ASSERT_TRUE(loaded->in_range());
    }
    (void)one->answer(request);
    EXPECT_TRUE(two->Y() == columns->Y());
    (void)two->answer(request);
    EXPECT_TRUE(one->Y() == two->Y());
  }
  for (std::size_t byte = 9; byte < 17; ++byte) saved[byte] = 0xff;  // a number that is none
  ByteReader in(saved);
  columns->load(in);
  EXPECT_FALSE(columns->in_range());
}

// Several leaves: y's are those of any part of the columns, sums differ in their last digits at most, and threads
// change nothing.
TEST(Holder, LeavesAndThreadsDoNotChangeY) {
  Stream stream = test_stream(11);
  for (const double zeros : {0.0, 0.9}) {
    Matrix Z = random_matrix(stream, 1501, 400);
    Z.array() *= (random_matrix(stream, 1501, 400).array() >= zeros).cast<double>();
    ASSERT_EQ(data::leaves(1501, 400).size(), 4U);
    const Matrix X1 = random_matrix(stream, 1501, 6);
    const Matrix X2 = X1 + 0.1 * random_matrix(stream, 1501, 6);
    TestThreads threads;
    Holder one(data::view(Z));
    Holder all(data::view(Z), threads);
    for (Holder* holder : {&one, &all}) {
      holder->begin(6, 2);
      (void)holder->answer(fresh(X1));
    }
    const Matrix before = one.Y();
    const Moments m = one.answer(next(X2, 0.5));
    const Moments same = all.answer(next(X2, 0.5));
    EXPECT_TRUE(one.Y() == all.Y());
    EXPECT_TRUE(m.S == same.S && m.T == same.T && m.squared_error == same.squared_error);
    EXPECT_EQ(one.squared_norm(), all.squared_norm());
    EXPECT_EQ(one.entry_sum(), all.entry_sum());
    EXPECT_NEAR(one.entry_sum(), Z.sum(), 1e-12 * Z.sum());
    const Matrix further = (one.Y() + 0.5 * (one.Y() - before)).cwiseMax(0) / 2;
    EXPECT_LT((m.S - Z / 2 * further.transpose()).norm(), 1e-14 * m.S.norm());
    EXPECT_LT((m.T - further * further.transpose()).norm(), 1e-14 * m.T.norm());
    EXPECT_NEAR(m.squared_error, (Z - X2 * one.Y()).squaredNorm() / 4, 1e-11 * one.squared_norm());

    ASSERT_EQ(data::leaves(1501, 80).size(), 1U);
    Holder part(data::view(Z, {70, 80}));
    part.begin(6, 2);
    (void)part.answer(fresh(X1));
    (void)part.answer(next(X2, 0.5));
    EXPECT_TRUE(part.Y() == one.Y().middleCols(70, 80));
  }
}

}  // namespace
}  // namespace ppdnmf::nmf
