#include <ppdnmf/nmf/descent.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf {
namespace {

// Holders of even parts of Z, their answers added up as a network adds them.
class Holders {
 public:
  Holders(const Matrix& Z, Index rank, Index parts) {
    for (Index part = 0; part < parts; ++part) {
      const Index first = Z.cols() * part / parts;
      holders_.push_back(dense_holder(Z.middleCols(first, Z.cols() * (part + 1) / parts - first)));
      holders_.back()->begin(rank, 1);
    }
  }
  Moments answer(const DescentRequest& request) {
    Moments total;
    for (const auto& holder : holders_) {
      const Moments one = holder->answer(request);
      if (total.S.size() == 0) {
        total = one;
        continue;
      }
      total.S += one.S;
      total.T += one.T;
      total.squared_error += one.squared_error;
    }
    return total;
  }
  Matrix settled(bool accepted) {
    Matrix Y;
    for (const auto& holder : holders_) {
      holder->settle(accepted);
      Matrix wider(holder->Y().rows(), Y.cols() + holder->count());
      wider << (Y.size() > 0 ? Y : Matrix(wider.rows(), 0)), holder->Y();
      Y = wider;
    }
    return Y;
  }
  Holder& first() { return *holders_.front(); }

 private:
  std::vector<std::unique_ptr<Holder>> holders_;
};

Matrix mixture(std::uint64_t seed, Index rows, Index columns, Index rank, double noise) {
  Stream stream = test_stream(seed);
  const Matrix left = (random_matrix(stream, rows, rank).array() - 0.3).cwiseMax(0);
  return left * random_matrix(stream, rank, columns) + noise * random_matrix(stream, rows, columns);
}

std::function<Matrix(int)> starts(Index rows, Index rank) {
  return [=](int number) {
    return common_start(Start::kRandom, rows, rank, Seed::from_number(1), static_cast<std::uint64_t>(number));
  };
}

struct Outcome {
  std::vector<double> errors;  // after every round and the measure: the best known
  Matrix X, Y;
};

Outcome run(const Matrix& Z, Index rank, const DescentOptions& options, Index parts = 1) {
  Holders holders(Z, rank, parts);
  Descent descent(options, starts(Z.rows(), rank));
  Outcome outcome;
  while (!descent.done()) {
    EXPECT_TRUE(descent.absorb(holders.answer(descent.request())));
    outcome.errors.push_back(descent.squared_error());
  }
  EXPECT_EQ(outcome.errors.size(), descent.rounds() + 1);
  outcome.Y = holders.settled(descent.last_accepted());
  outcome.X = descent.X();
  EXPECT_GE(outcome.X.minCoeff(), 0);
  EXPECT_NEAR(descent.squared_error(), (Z - outcome.X * outcome.Y).squaredNorm(),
              1e-9 * Z.squaredNorm() + 1e-6 * descent.squared_error());
  return outcome;
}

TEST(Descent, TheErrorNeverRises) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const Index rank : {1, 3, 6, 12}) {
      DescentOptions options;
      options.rounds = 150;
      const Outcome o = run(mixture(seed, 12, 40, 5, 0.2), rank, options);
      for (std::size_t n = 1; n < o.errors.size(); ++n) EXPECT_LE(o.errors[n], o.errors[n - 1]) << "after " << n;
    }
  }
}

TEST(Descent, ExactDataAreFound) {
  DescentOptions options;
  options.rounds = 1000;
  const Matrix Z = mixture(3, 20, 30, 3, 0);
  EXPECT_LT(std::sqrt(run(Z, 3, options).errors.back()) / Z.norm(), 1e-3);
}

TEST(Descent, TenHoldersDifferFromOneByRoundOff) {
  DescentOptions options;
  options.rounds = 40;
  const Matrix Z = mixture(4, 30, 95, 5, 0.3);
  const Outcome one = run(Z, 5, options);
  const Outcome ten = run(Z, 5, options, 10);
  ASSERT_EQ(one.errors.size(), ten.errors.size());
  for (std::size_t n = 0; n < one.errors.size(); ++n) EXPECT_NEAR(ten.errors[n] / one.errors[n], 1, 1e-9) << n;
}

TEST(Descent, EveryInstructionSetGivesTheSameBytes) {
  DescentOptions options;
  options.rounds = 25;
  const Matrix Z = mixture(5, 45, 70, 6, 0.3);
  ASSERT_EQ(setenv("PPDNMF_LANES", "baseline", 1), 0);
  const Outcome baseline = run(Z, 7, options);
  for (const Lanes lanes : {Lanes::kAvx2, Lanes::kAvx512}) {
    if (!lanes_available(lanes)) continue;
    ASSERT_EQ(setenv("PPDNMF_LANES", std::string(lanes_name(lanes)).c_str(), 1), 0);
    const Outcome other = run(Z, 7, options);
    EXPECT_TRUE(other.X == baseline.X && other.Y == baseline.Y) << lanes_name(lanes);
    EXPECT_EQ(other.errors, baseline.errors);
  }
  ASSERT_EQ(unsetenv("PPDNMF_LANES"), 0);
}

TEST(Descent, DegenerateDataAreWellBehaved) {
  DescentOptions options;
  options.rounds = 60;
  Matrix holes = mixture(6, 8, 9, 3, 0.1);
  holes.row(2).setZero();
  holes.col(5).setZero();
  Matrix spike = Matrix::Zero(6, 7);
  spike(3, 4) = 42;
  for (const auto& [Z, rank] : std::vector<std::pair<Matrix, Index>>{{holes, 3},
                                                                     {holes, 8},
                                                                     {spike, 4},
                                                                     {mixture(7, 5, 1, 1, 0), 1},
                                                                     {Matrix::Constant(1, 1, 1.3), 1},
                                                                     {Matrix::Ones(6, 6), 6}}) {
    const Outcome o = run(Z, rank, options);
    EXPECT_TRUE(o.X.allFinite() && o.Y.allFinite());
    EXPECT_LT(o.errors.back(), Z.squaredNorm());
  }
}

TEST(Descent, TheBestOfSeveralStartsGoesOn) {
  const Matrix Z = mixture(8, 15, 30, 4, 0.2);
  DescentOptions options;
  options.rounds = 60;
  options.starts = 4;
  options.start_rounds = 6;
  Holders holders(Z, 4, 1);
  Descent descent(options, starts(15, 4));
  std::vector<double> ends;
  while (!descent.done()) {
    ASSERT_TRUE(descent.absorb(holders.answer(descent.request())));
    if (descent.request().restart && descent.rounds() % 6 == 0 && ends.size() < 4)
      ends.push_back(descent.squared_error());
    if (descent.rounds() == 24 && !descent.measures_only() && descent.request().restart) {
      EXPECT_TRUE(descent.request().X == descent.X()) << "the best one is continued";
    }
  }
  EXPECT_EQ(descent.rounds(), 60U);
  ASSERT_GE(ends.size(), 3U);
  for (std::size_t n = 1; n < ends.size(); ++n) EXPECT_LE(ends[n], ends[n - 1]);
  EXPECT_LT(descent.squared_error(), ends.back());

  options.rounds = 3;  // not enough for all: they get shorter, and the run still ends
  EXPECT_EQ(run(Z, 4, options).errors.size(), 4U);
}

TEST(Descent, EndsForTheReasonItSays) {
  const Matrix Z = mixture(9, 15, 30, 4, 0.2);
  Holders holders(Z, 2, 1);
  DescentOptions options;
  options.rounds = 2000;
  options.tolerance = 1e-3;
  Descent descent(options, starts(15, 2));
  while (!descent.done()) ASSERT_TRUE(descent.absorb(holders.answer(descent.request())));
  EXPECT_EQ(descent.stopped_because(), "tolerance");
  EXPECT_EQ(descent.rounds() % 10, 0U);
  EXPECT_LT(descent.rounds(), 2000U);
}

TEST(Descent, CanBeStoppedAtAnyTime) {
  const Matrix Z = mixture(10, 15, 30, 4, 0.2);
  DescentOptions options;
  options.rounds = 50;
  options.starts = 3;
  options.start_rounds = 8;
  for (std::uint64_t stop = 0; stop < 40; ++stop) {
    Holders holders(Z, 4, 2);
    Descent descent(options, starts(15, 4));
    while (descent.rounds() < stop) ASSERT_TRUE(descent.absorb(holders.answer(descent.request())));
    const double known = descent.squared_error();
    descent.stop("request");
    EXPECT_TRUE(descent.measures_only());
    ASSERT_TRUE(descent.absorb(holders.answer(descent.request())));
    ASSERT_TRUE(descent.done());
    EXPECT_EQ(descent.stopped_because(), "request");
    EXPECT_EQ(descent.rounds(), stop);
    const Matrix Y = holders.settled(descent.last_accepted());
    EXPECT_NEAR((Z - descent.X() * Y).squaredNorm() / descent.squared_error(), 1, 1e-9) << stop;
    EXPECT_LE(descent.squared_error(), known * (1 + 1e-6)) << stop;
  }
}

TEST(Descent, LoadedOnesGoOnToTheSameBytes) {
  const Matrix Z = mixture(11, 15, 30, 4, 0.2);
  DescentOptions options;
  options.rounds = 40;
  options.starts = 2;
  options.start_rounds = 9;
  const Outcome whole = run(Z, 4, options);
  for (const std::uint64_t pause : {0, 1, 8, 9, 10, 25, 40}) {
    Holders before(Z, 4, 1);
    Descent first(options, starts(15, 4));
    while (first.rounds() < pause) ASSERT_TRUE(first.absorb(before.answer(first.request())));
    ByteWriter out;
    first.save(out);
    before.first().save(out);
    const Bytes saved = out.take();
    Holders after(Z, 4, 1);
    Descent second(options, starts(15, 4));
    ByteReader in(saved);
    second.load(in);
    after.first().load(in);
    ASSERT_TRUE(in.status());
    ASSERT_TRUE(second.in_range());
    while (!second.done()) ASSERT_TRUE(second.absorb(after.answer(second.request())));
    EXPECT_TRUE(second.X() == whole.X && after.settled(second.last_accepted()) == whole.Y) << pause;
    EXPECT_EQ(second.squared_error(), whole.errors.back());
  }
}

TEST(Descent, AnErrorThatWasTooGoodIsForgottenWhenItIsMeasuredAgain) {
  const Matrix Z = mixture(4, 12, 60, 3, 0.2);
  const auto final_error = [&](std::uint64_t lie) {
    Holders holders(Z, 3, 4);
    Descent descent({}, [](int) { return common_start(Start::kRandom, 12, 3, Seed::from_number(4)); });
    while (!descent.done()) {
      Moments totals = holders.answer(descent.request());
      if (descent.rounds() == lie) totals.squared_error /= 1000;
      EXPECT_TRUE(descent.absorb(totals));
    }
    return descent.squared_error();
  };
  const double clean = final_error(1000);
  for (const std::uint64_t lie : {0, 2, 7}) EXPECT_LT(final_error(lie), 1.05 * clean) << lie;
}

TEST(Descent, TotalsThatNoDataLeadToAreRefused) {
  const Matrix Z = mixture(12, 6, 8, 2, 0.2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refuse = [&](const auto& damage) {
    Holders holders(Z, 2, 1);
    Descent descent(DescentOptions{}, starts(6, 2));
    Moments totals = holders.answer(descent.request());
    damage(totals);
    const Status status = descent.absorb(totals);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kNumeric);
    EXPECT_EQ(descent.rounds(), 0U);
  };
  refuse([&](Moments& m) { m.S(1, 1) = nan; });
  refuse([&](Moments& m) { m.T(0, 1) = std::numeric_limits<double>::infinity(); });
  refuse([&](Moments& m) { m.T(1, 1) = -1e-3; });
  refuse([&](Moments& m) { m.squared_error = -1; });
  refuse([&](Moments& m) { m.squared_error = nan; });
}

}  // namespace
}  // namespace ppdnmf::nmf
