#include <ppdnmf/nmf/factorize.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf {
namespace {

Matrix low_rank(std::uint64_t seed, Index rows, Index columns, Index rank) {
  Stream stream = test_stream(seed);
  const Matrix left = (random_matrix(stream, rows, rank).array() - 0.3).cwiseMax(0);
  return left * random_matrix(stream, rank, columns);
}

Factorization make(const Matrix& Z, const FactorizeOptions& options, std::uint64_t seed = 1) {
  auto run = Factorization::create(Z, options, Seed::from_number(seed));
  EXPECT_TRUE(run) << run.error().message;
  return *std::move(run);
}

Factorization finished(const Matrix& Z, const FactorizeOptions& options, std::uint64_t seed = 1) {
  Factorization run = make(Z, options, seed);
  while (!run.done()) EXPECT_TRUE(run.step());
  return run;
}

TEST(Factorize, ExactLowRankDataAreFound) {
  FactorizeOptions options;
  options.rank = 3;
  options.iterations = 5000;
  options.tolerance = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Matrix Z = low_rank(seed, 20, 30, 3);
    const Factorization run = finished(Z, options, seed);
    EXPECT_LT((Z - run.X() * run.Y()).norm() / Z.norm(), 1e-3) << "seed " << seed;
    EXPECT_NEAR(run.relative_error(), (Z - run.X() * run.Y()).norm() / Z.norm(), 1e-9);
    EXPECT_GE(run.X().minCoeff(), 0);
    EXPECT_GE(run.Y().minCoeff(), 0);
  }
}

TEST(Factorize, RankOneAndOneColumn) {
  FactorizeOptions options;
  options.rank = 1;
  EXPECT_LT(finished(low_rank(1, 8, 9, 1), options).relative_error(), 1e-3);
  EXPECT_LT(finished(low_rank(2, 8, 1, 1), options).relative_error(), 1e-3);
  EXPECT_LT(finished(Matrix::Constant(1, 1, 727224), options).relative_error(), 1e-3);
}

TEST(Factorize, TheUnitOfTheDataDoesNotMatter) {
  const Matrix Z = low_rank(3, 12, 15, 4);
  FactorizeOptions options;
  options.rank = 3;
  options.iterations = 40;
  const Factorization one = finished(Z, options);
  for (const double unit : {1024.0, 0x1p-20}) {
    const Factorization other = finished(unit * Z, options);
    EXPECT_TRUE(one.X() == other.X()) << unit;
    EXPECT_TRUE(unit * one.Y() == other.Y()) << unit;
    EXPECT_EQ(one.iterations(), other.iterations());
  }
}

TEST(Factorize, StopsForTheReasonItSays) {
  const Matrix Z = low_rank(4, 12, 15, 5);
  FactorizeOptions options;
  options.rank = 2;
  options.iterations = 7;
  const Factorization few = finished(Z, options);
  EXPECT_EQ(few.stopped_because(), "iterations");
  EXPECT_EQ(few.iterations(), 7);
  options.iterations = 5000;
  options.tolerance = 1e-3;
  const Factorization enough = finished(Z, options);
  EXPECT_EQ(enough.stopped_because(), "tolerance");
  EXPECT_LT(enough.iterations(), 5000);
}

TEST(Factorize, WithoutAToleranceOnlyIterationsEndIt) {
  FactorizeOptions options;
  options.rank = 1;
  options.iterations = 300;
  options.tolerance = 0;
  const Factorization run =
      finished(low_rank(1, 8, 9, 1), options);  // exact long before: the error can only stay or rise
  EXPECT_EQ(run.stopped_because(), "iterations");
  EXPECT_EQ(run.iterations(), 300);
}

TEST(Factorize, SavedAndLoadedGoesOnToTheSameBytes) {
  const Matrix Z = low_rank(5, 12, 15, 4);
  FactorizeOptions options;
  options.rank = 3;
  options.iterations = 60;
  options.tolerance = 0;
  const Factorization whole = finished(Z, options);
  for (const int pause : {0, 1, 9, 10, 11, 37}) {
    Factorization first = make(Z, options);
    for (int n = 0; n < pause; ++n) ASSERT_TRUE(first.step());
    const Bytes saved = first.save();
    Factorization second = make(Z, options);
    ASSERT_TRUE(second.load(saved));
    while (!second.done()) ASSERT_TRUE(second.step());
    EXPECT_TRUE(whole.X() == second.X() && whole.Y() == second.Y()) << "paused after " << pause;
    EXPECT_EQ(whole.iterations(), second.iterations());
    EXPECT_EQ(whole.relative_error(), second.relative_error());
    for (std::size_t size = 0; size < saved.size(); size += 13) {
      EXPECT_FALSE(make(Z, options).load(ByteSpan(saved).first(size))) << size;
    }
  }
}

TEST(Factorize, SeveralStartsAreSavedAndLoadedToo) {
  const Matrix Z = low_rank(6, 12, 15, 4);
  FactorizeOptions options;
  options.rank = 3;
  options.starts = 3;
  options.iterations = 80;
  options.tolerance = 0;
  const Factorization whole = finished(Z, options);
  for (const int pause : {5, 19, 20, 21, 45, 70}) {
    Factorization first = make(Z, options);
    for (int n = 0; n < pause; ++n) ASSERT_TRUE(first.step());
    Factorization second = make(Z, options);
    ASSERT_TRUE(second.load(first.save()));
    EXPECT_TRUE(first.X() == second.X() && first.Y() == second.Y());
    EXPECT_EQ(first.relative_error(), second.relative_error());
    while (!second.done()) ASSERT_TRUE(second.step());
    EXPECT_TRUE(whole.X() == second.X() && whole.Y() == second.Y()) << "paused after " << pause;
  }
}

TEST(Factorize, TheErrorIsThatOfXAndYAfterEveryStep) {
  const Matrix Z = low_rank(7, 20, 30, 6);
  FactorizeOptions options;
  options.rank = 4;
  options.iterations = 120;
  options.tolerance = 0;
  for (const int starts : {1, 4}) {
    options.starts = starts;
    Factorization run = make(Z, options);
    double last = 1;
    while (!run.done()) {
      ASSERT_TRUE(run.step());
      EXPECT_NEAR(run.relative_error(), (Z - run.X() * run.Y()).norm() / Z.norm(), 1e-9) << run.iterations();
      if (starts == 1) {
        EXPECT_LE(run.relative_error(), last);
      }
      last = run.relative_error();
    }
    EXPECT_EQ(run.iterations(), 120);
  }
}

TEST(Factorize, CanBeStoppedByItsCaller) {
  const Matrix Z = low_rank(8, 20, 30, 6);
  for (const Solver solver : {Solver::kFast, Solver::kAdmm}) {
    FactorizeOptions options;
    options.rank = 4;
    options.solver = solver;
    options.starts = solver == Solver::kFast ? 3 : 1;
    for (const int after : {1, 7, 25, 47}) {
      Factorization run = make(Z, options);
      double least = 1;
      for (int n = 0; n < after; ++n) {
        ASSERT_TRUE(run.step());
        least = std::min(least, run.relative_error());
      }
      ASSERT_TRUE(run.stop("request"));
      EXPECT_TRUE(run.done());
      EXPECT_EQ(run.stopped_because(), "request");
      EXPECT_EQ(run.iterations(), after);
      EXPECT_NEAR(run.relative_error(), (Z - run.X() * run.Y()).norm() / Z.norm(), 1e-9);
      // Steps that were not yet known to be good count with what is known of them: the best one's last but one.
      EXPECT_LT(run.relative_error(), 1.1 * least) << after;
    }
  }
}

TEST(Factorize, ThePapersSolverIsStillThere) {
  FactorizeOptions options;
  options.rank = 3;
  options.solver = Solver::kAdmm;
  options.iterations = 3000;
  const Matrix Z = low_rank(1, 20, 30, 3);
  EXPECT_LT(finished(Z, options).relative_error(), 1e-2);
  options.starts = 2;
  const auto refused = Factorization::create(Z, options, Seed::from_number(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST(Factorize, LanesThatCannotBeHadAreASentence) {
  ASSERT_EQ(setenv("PPDNMF_LANES", "mmx", 1), 0);
  const auto refused = Factorization::create(Matrix::Ones(3, 4), FactorizeOptions{}, Seed::from_number(1));
  ASSERT_EQ(unsetenv("PPDNMF_LANES"), 0);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("PPDNMF_LANES=mmx"), std::string::npos);
}

TEST(Factorize, ASavedStateWithANumberThatIsNoneIsRefused) {
  const Matrix Z = low_rank(5, 12, 15, 4);
  FactorizeOptions options;
  options.rank = 3;
  Factorization run = make(Z, options);
  ASSERT_TRUE(run.step());
  Bytes saved = run.save();
  for (std::size_t byte = 0; byte < 8; ++byte) saved[1 + byte] = 0xff;  // the first number of the X that is asked about
  EXPECT_FALSE(make(Z, options).load(saved));
}

TEST(Factorize, BeginsWhereItIsToldTo) {
  const Matrix Z = low_rank(5, 12, 15, 3);
  FactorizeOptions options;
  options.rank = 3;
  options.iterations = 20;
  for (const Solver solver : {Solver::kFast, Solver::kAdmm}) {
    options.solver = solver;
    options.X0 = Matrix();
    const Factorization by_seed = finished(Z, options, 4);
    options.X0 = common_start(Start::kRandom, 12, 3, Seed::from_number(4));
    EXPECT_EQ(finished(Z, options, 9).X(), by_seed.X());
    options.X0.col(1).setZero();
    EXPECT_LT(finished(Z, options).relative_error(), 0.5);
  }
}

TEST(Factorize, RefusesAStartThatIsNone) {
  FactorizeOptions options;
  options.rank = 2;
  Matrix negative = Matrix::Ones(3, 2);
  negative(0, 0) = -1;
  for (const Matrix& X0 :
       {Matrix(Matrix::Ones(2, 2)), Matrix(Matrix::Ones(3, 1)), Matrix(Matrix::Zero(3, 2)), negative}) {
    options.X0 = X0;
    const auto run = Factorization::create(Matrix::Ones(3, 4), options, Seed::from_number(1));
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::kUsage);
  }
  options.X0 = Matrix::Ones(3, 2);
  options.starts = 2;
  EXPECT_FALSE(Factorization::create(Matrix::Ones(3, 4), options, Seed::from_number(1)));
}

TEST(Factorize, RefusesWhatCannotBeFactorised) {
  const auto refuse = [](const Matrix& Z, Index rank, ErrorCode code, const char* words) {
    FactorizeOptions options;
    options.rank = rank;
    const auto run = Factorization::create(Z, options, Seed::from_number(1));
    ASSERT_FALSE(run) << words;
    EXPECT_EQ(run.error().code, code) << run.error().message;
    EXPECT_NE(run.error().message.find(words), std::string::npos) << run.error().message;
  };
  const Matrix fine = Matrix::Ones(3, 4);
  Matrix negative = fine;
  negative(1, 1) = -1e-300;
  Matrix nan = fine;
  nan(2, 3) = std::numeric_limits<double>::quiet_NaN();
  Matrix infinite = fine;
  infinite(0, 0) = std::numeric_limits<double>::infinity();
  refuse(Matrix(), 1, ErrorCode::kInvalidData, "nothing to factorise");
  refuse(Matrix(0, 4), 1, ErrorCode::kInvalidData, "nothing to factorise");
  refuse(Matrix::Zero(3, 4), 1, ErrorCode::kInvalidData, "zero");
  refuse(negative, 1, ErrorCode::kInvalidData, "negative");
  refuse(nan, 1, ErrorCode::kInvalidData, "finite");
  refuse(infinite, 1, ErrorCode::kInvalidData, "finite");
  refuse(1e200 * fine, 1, ErrorCode::kInvalidData, "choose a unit");
  refuse(1e-200 * fine, 1, ErrorCode::kInvalidData, "choose a unit");
  refuse(fine, 0, ErrorCode::kUsage, "rank");
  refuse(fine, -1, ErrorCode::kUsage, "rank");
}

}  // namespace
}  // namespace ppdnmf::nmf
