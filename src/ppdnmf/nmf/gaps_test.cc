// Missing entries: what columns with gaps add to the totals, and how well what is missing is found.
#include <ppdnmf/data/gaps.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/data/unit.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/gappy_fit.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Made {
  Matrix X, Y, Z;  // Z with noise, complete
  Matrix gappy;    // Z with NaN
};

// A part of the entries goes at random.
Made made_data(std::uint64_t seed, Index rows, Index columns, Index rank, double part, double noise = 0.1) {
  Stream stream = test_stream(seed);
  Made made;
  made.X = random_matrix(stream, rows, rank).array().pow(2);
  made.Y = random_matrix(stream, rank, columns).array().pow(2);
  made.Z = made.X * made.Y;
  for (Index t = 0; t < made.Z.size(); ++t)
    made.Z.data()[t] = std::max(0.0, made.Z.data()[t] + noise * (stream.uniform() + stream.uniform() - 1));
  made.gappy = made.Z;
  for (Index t = 0; t < made.Z.size(); ++t) {
    if (stream.uniform() < part) made.gappy.data()[t] = kMissing;
  }
  return made;
}

std::unique_ptr<Holder> holder_of(data::SharedColumns columns, LossKind kind, Executor& executor = serial_executor(),
                                  Curvature curvature = Curvature::kFull) {
  LossOptions options;
  options.kind = kind;
  options.curvature = curvature;
  options.missing = true;
  auto holder = std::make_unique<Holder>(std::move(columns), executor, loss_of(options));
  holder->begin(4, 2);
  return holder;
}

DescentRequest thorough(const Matrix& X) {
  DescentRequest request;
  request.X = X;
  request.restart = request.thorough = true;
  return request;
}

Factorization run(const Matrix& Z, FactorizeOptions options, std::uint64_t seed = 1) {
  options.tolerance = 0;
  auto made = Factorization::create(data::gappy_view(Z), options, Seed::from_number(seed));
  EXPECT_TRUE(made) << made.error().message;
  while (!made->done()) EXPECT_TRUE(made->step());
  return std::move(*made);
}

// The root mean square of Z - X Y where `gappy` has an entry, or where it has none.
double error_where(const Made& made, const Matrix& R, bool missing) {
  double sum = 0;
  double count = 0;
  for (Index t = 0; t < R.size(); ++t) {
    if (std::isnan(made.gappy.data()[t]) != missing) continue;
    sum += std::pow(made.Z.data()[t] - R.data()[t], 2);
    ++count;
  }
  return std::sqrt(sum / count);
}

TEST(Gaps, TotalsUnderSquaresAreThoseOfFilledInColumns) {
  for (const double part : {0.05, 0.5, 0.9}) {
    const Made made = made_data(1, 23, 30, 4, part);
    const data::SharedColumns columns = data::gappy_view(made.gappy);
    const auto holder = holder_of(columns, LossKind::kSquares);
    const Moments moments = holder->answer(thorough(made.X));
    const Matrix Y = holder->Y();
    // Of columns with fewer rows than components many coordinates are best.
    if (part < 0.9) {
      EXPECT_LT((Y - gappy_coordinates(made.X, *columns)).norm(), 1e-5 * Y.norm());
    }
    const Matrix R = made.X * Y;
    Matrix filled = made.gappy;
    double error = 0;
    for (Index t = 0; t < filled.size(); ++t) {
      if (std::isnan(filled.data()[t])) {
        filled.data()[t] = R.data()[t];
      } else {
        error += std::pow(filled.data()[t] - R.data()[t], 2);
      }
    }
    const double scale = 2;
    const Matrix S = filled * Y.transpose() / (scale * scale);
    const Matrix T = Y * Y.transpose() / (scale * scale);
    EXPECT_LT((moments.S - S).norm(), 1e-12 * S.norm());
    EXPECT_LT((moments.T - T).norm(), 1e-12 * T.norm());
    EXPECT_NEAR(moments.squared_error * scale * scale, error, 1e-9 * error);
    const LocalFit fit = fit_of(made.X, *columns, Y);
    EXPECT_NEAR(fit.squared_error, error, 1e-12 * error);
    EXPECT_NEAR(fit.squared_norm, holder->squared_norm() * scale * scale, 1e-12 * fit.squared_norm);
  }
}

TEST(Gaps, TotalsUnderThePoissonLossLeaveOutWhatIsMissing) {
  const Made made = made_data(2, 19, 25, 4, 0.4);
  const auto holder = holder_of(data::gappy_view(made.gappy), LossKind::kPoisson);
  const Matrix X = made.X.array() + 0.01;
  const Moments moments = holder->answer(thorough(X));
  const Matrix Y = holder->Y() / 2;
  const Matrix R = X * Y;
  Matrix S = Matrix::Zero(4, 19);
  double divergence = 0;
  double error = 0;
  for (Index l = 0; l < 19; ++l) {
    double curvature = 0;  // of component 0 with itself
    for (Index m = 0; m < 25; ++m) {
      const double z = made.gappy(l, m) / 2;
      const bool there = !std::isnan(z);
      const double r = R(l, m);
      S.col(l) += (X.row(l).transpose().array() * Y.col(m).array() * (there ? z / r : 1)).matrix();
      if (!there) continue;
      curvature += X(l, 0) * X(l, 0) * z * Y(0, m) * Y(0, m) / (r * r);
      divergence += (z > 0 ? z * std::log(z / r) : 0) - z + r;
      error += (z - r) * (z - r);
    }
    EXPECT_NEAR(moments.T(0, l), curvature, 1e-9 * curvature + 1e-12);
  }
  EXPECT_LT((moments.S.leftCols(19) - S).norm(), 1e-9 * S.norm());
  EXPECT_LT((moments.S.col(19) - Y.rowwise().sum()).norm(), 1e-9 * Y.norm());
  EXPECT_NEAR(moments.divergence, divergence, 1e-9 * divergence);
  EXPECT_NEAR(moments.squared_error, error, 1e-9 * error);
  EXPECT_NEAR(divergence_of(X, *data::gappy_view(made.gappy), holder->Y()), 2 * divergence, 1e-9 * divergence);
}

// So rows need a crowd of columns that have them, whatever stands there (protocol/crowd.h).
TEST(Gaps, AZeroThatOneColumnAloneHasTellsThatColumnsCoordinates) {
  Made made = made_data(4, 12, 30, 4, 0.1);
  made.gappy.row(5).setConstant(kMissing);
  made.gappy(5, 17) = 0;
  const auto holder = holder_of(data::gappy_view(made.gappy), LossKind::kSquares);
  const Moments moments = holder->answer(thorough(made.X));
  const Eigen::RowVectorXd seen = moments.S.row(5) - made.X.row(5) * moments.T;
  const Eigen::VectorXd y = holder->Y().col(17) / 2;
  ASSERT_GT(y.norm(), 0.1);
  EXPECT_LT((seen / std::sqrt(-seen.dot(made.X.row(5))) + y.transpose()).norm(), 1e-9 * y.norm());
}

TEST(Gaps, ThreadsChangeNoByte) {
  const Made made = made_data(3, 128, 2200, 4, 0.3);
  const data::SharedColumns columns = data::gappy_view(made.gappy);
  const Matrix X = made.X.array() + 0.01;
  for (const LossKind kind : {LossKind::kSquares, LossKind::kPoisson}) {
    const auto one = holder_of(columns, kind);
    const Moments expected = one->answer(thorough(X));
    TestThreads executor;
    const auto several = holder_of(columns, kind, executor);
    const Moments moments = several->answer(thorough(X));
    EXPECT_TRUE(moments.S == expected.S && moments.T == expected.T);
    EXPECT_EQ(moments.squared_error, expected.squared_error);
    EXPECT_TRUE(several->Y() == one->Y());
  }
}

// Columns with many zeros are walked by their other entries.
TEST(Gaps, ZerosMayBeLeftOut) {
  Made made = made_data(9, 24, 60, 4, 0.2);
  for (Index t = 0; t < made.gappy.size(); ++t) {
    if (made.gappy.data()[t] < 1.2) made.gappy.data()[t] = 0;
  }
  const data::SharedColumns dense = data::gappy_view(made.gappy);
  const data::SharedColumns sparse = data::without_zeros(dense);
  ASSERT_NE(dense, sparse);
  const Matrix X = made.X.array() + 0.01;
  for (const LossKind kind : {LossKind::kSquares, LossKind::kPoisson}) {
    LossOptions options;
    options.kind = kind;
    options.missing = true;
    const auto loss = loss_of(options);
    std::vector<double> constants(60);
    loss->constants(*dense, {0, 60}, 1, constants.data());
    Matrix of_dense = Matrix::Zero(4, 60);
    Matrix of_sparse = of_dense;
    const Matrix before = of_dense;
    Moments one;
    Moments other;
    const auto at = loss->at({X, Effort::kFromNothing});
    at->solve({*dense, {0, 60}, 1, constants.data()}, of_dense, before, one);
    at->solve({*sparse, {0, 60}, 1, constants.data()}, of_sparse, before, other);
    EXPECT_TRUE(of_dense == of_sparse && one.S == other.S && one.T == other.T);
    EXPECT_EQ(one.squared_error, other.squared_error);
  }
}

// What the statistics of a fit with p numbers to n entries allow, and a twentieth more.
TEST(Gaps, WhatIsMissingIsFoundAsWellAsItCanBe) {
  for (const double part : {0.1, 0.3, 0.5}) {
    const Index L = 40;
    const Index M = 300;
    const Index K = 4;
    const Made made = made_data(4, L, M, K, part);
    FactorizeOptions options;
    options.rank = K;
    options.iterations = 100;
    const Factorization fit = run(made.gappy, options);
    const Matrix R = fit.X() * fit.Y();
    const double n = data::present_entries(*data::gappy_view(made.gappy));
    const auto p = static_cast<double>(K * (L + M - K));
    const double ratio = error_where(made, R, true) / error_where(made, R, false);
    EXPECT_LE(ratio, 1.05 * std::sqrt((1 + p / n) / (1 - p / n))) << part;

    Matrix means = made.gappy;
    for (Index l = 0; l < L; ++l) {
      double sum = 0;
      double count = 0;
      for (Index m = 0; m < M; ++m) {
        if (std::isnan(means(l, m))) continue;
        sum += means(l, m);
        ++count;
      }
      for (Index m = 0; m < M; ++m) {
        if (std::isnan(means(l, m))) means(l, m) = sum / count;
      }
    }
    const Factorization filled = run(means, options);
    EXPECT_GT(error_where(made, filled.X() * filled.Y(), true), 1.5 * error_where(made, R, true)) << part;
  }
}

// Seven entries speak for three numbers.
TEST(Gaps, FewEntriesHoldCoordinatesBack) {
  FactorizeOptions options;
  options.rank = 3;
  options.iterations = 100;
  std::vector<double> parts;
  for (std::uint64_t seed = 20; seed < 25; ++seed) {
    Made made = made_data(seed, 14, 60, 3, 0.5, 0.25);
    made.gappy.col(7) = made.Z.col(7);
    const data::SharedColumns columns = data::gappy_view(made.gappy);
    const Factorization fit = run(made.gappy, options);
    const Matrix R = fit.shrink();
    ASSERT_EQ(R.rows(), 3);
    const Matrix expected = gappy_coordinates(fit.X(), *columns, serial_executor(), R);
    EXPECT_LT((fit.Y() - expected).norm(), 1e-7 * expected.norm());
    const Matrix free = gappy_coordinates(fit.X(), *columns);
    EXPECT_LT((fit.Y().col(7) - free.col(7)).norm(), 1e-7 * free.norm());  // it lacks nothing
    const LocalFit error = fit_of(fit.X(), *columns, fit.Y());
    EXPECT_NEAR(fit.relative_error(), relative_error({&error, 1}), 1e-12);
    parts.push_back(error_where(made, fit.X() * fit.Y(), true) / error_where(made, fit.X() * free, true));
  }
  std::sort(parts.begin(), parts.end());
  EXPECT_LT(parts[2], 0.9);
  EXPECT_LT(parts[4], 1.05);
}

TEST(Gaps, NothingIsHeldBackWhereNothingIsMissing) {
  const Made made = made_data(31, 14, 60, 3, 0);
  FactorizeOptions options;
  options.rank = 3;
  EXPECT_EQ(run(made.Z, options).shrink().size(), 0);
}

TEST(Gaps, ARunGoesOnFromItsStateToTheSameBytes) {
  const Made made = made_data(32, 14, 60, 3, 0.5);
  const data::SharedColumns columns = data::gappy_view(made.gappy);
  FactorizeOptions options;
  options.rank = 3;
  options.iterations = 12;
  options.tolerance = 0;
  const Factorization whole = run(made.gappy, options);
  for (const int saved : {1, 11, 12}) {
    auto first = Factorization::create(columns, options, Seed::from_number(1));
    auto second = Factorization::create(columns, options, Seed::from_number(1));
    while (first->iterations() < saved) ASSERT_TRUE(first->step());
    ASSERT_TRUE(second->load(first->save()));
    while (!second->done()) ASSERT_TRUE(second->step());
    EXPECT_TRUE(second->X() == whole.X() && second->Y() == whole.Y() && second->shrink() == whole.shrink());
    EXPECT_EQ(second->relative_error(), whole.relative_error());
  }
}

TEST(Gaps, HalfOfTheEntriesAreEnoughForAFewRounds) {
  const Made made = made_data(5, 60, 400, 5, 0.5);
  FactorizeOptions options;
  options.rank = 5;
  options.iterations = 200;
  const double end = run(made.gappy, options).relative_error();
  options.iterations = 25;
  EXPECT_LT(run(made.gappy, options).relative_error(), 1.01 * end);
}

TEST(Gaps, ThePoissonLossFindsThemToo) {
  Made made = made_data(6, 30, 200, 3, 0.3, 0);
  const auto counted = [](const Matrix& Z) { return Matrix((50 * Z).array().round()); };
  made.gappy = (made.gappy.array().isNaN()).select(made.gappy, counted(made.Z));
  made.Z = counted(made.Z);
  FactorizeOptions options;
  options.rank = 3;
  options.iterations = 60;
  options.loss = LossKind::kPoisson;
  for (const Curvature curvature : {Curvature::kFull, Curvature::kScaled}) {
    options.curvature = curvature;
    const Factorization fit = run(made.gappy, options);
    const Matrix R = fit.X() * fit.Y();
    EXPECT_LT(error_where(made, R, true), 1.3 * error_where(made, R, false) + 0.3);
  }
}

TEST(Gaps, WholeRowsAndColumnsAreRefusedWithASentence) {
  Made made = made_data(7, 6, 9, 2, 0);
  FactorizeOptions options;
  options.rank = 2;
  made.gappy.col(3).setConstant(kMissing);
  auto refused = Factorization::create(data::gappy_view(made.gappy), options, Seed::from_number(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "all entries of column 4 are missing: leave it out");
  made.gappy = made.Z;
  made.gappy.row(5).setConstant(kMissing);
  refused = Factorization::create(data::gappy_view(made.gappy), options, Seed::from_number(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "all entries of row 6 are missing, in everybody's columns: leave it out");
  made.gappy = made.Z;
  made.gappy(0, 0) = kMissing;
  options.solver = Solver::kAdmm;
  refused = Factorization::create(data::gappy_view(made.gappy), options, Seed::from_number(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST(Gaps, AreKeptByColumnsThatAreDivided) {
  const Made made = made_data(8, 12, 20, 3, 0.4);
  const data::SharedColumns columns = data::gappy_view(made.gappy);
  const data::SharedColumns unit = data::unit_columns(columns, data::ColumnNorm::kL1);
  EXPECT_EQ(data::present_entries(*unit), data::present_entries(*columns));
  EXPECT_EQ(data::present_entries(*data::without_zeros(unit)), data::present_entries(*columns));
  double entries = 0;
  for (Index t = 0; t < made.gappy.size(); ++t) entries += std::isnan(made.gappy.data()[t]) ? 0 : 1;
  EXPECT_EQ(data::present_entries(*columns), entries);
  EXPECT_FALSE(data::has_gaps(*data::gappy_view(made.Z)));
}

}  // namespace
}  // namespace ppdnmf::nmf
