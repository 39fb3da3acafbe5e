#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/descent.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/nmf/test_matrices.h>
#include <ppdnmf/nmf/test_threads.h>

namespace ppdnmf::nmf {
namespace {

struct Made {
  Matrix X, Y, Z;
};

// Parts that overlap little; `size` is that of the data, which no power of two divides evenly.
Made made(std::uint64_t seed, Index rows, Index columns, Index rank, double size = 37, double noise = 0.01) {
  Stream stream = test_stream(seed);
  Made out;
  out.X = random_matrix(stream, rows, rank).array().pow(6);
  out.Y = size * random_matrix(stream, rank, columns).array().pow(3);
  out.Z = out.X * out.Y + noise * size * random_matrix(stream, rows, columns);
  return out;
}

double naive_divergence(const Matrix& Z, const Matrix& R) {
  double sum = 0;
  for (Index t = 0; t < Z.size(); ++t) {
    const double z = Z.data()[t];
    sum += (z > 0 ? z * std::log(z / R.data()[t]) : 0) - z + R.data()[t];
  }
  return sum;
}

double naive_objective(const Matrix& Z, const Matrix& X, const Matrix& Y, const FactorizeOptions& o) {
  const Penalties& p = o.penalties;
  const double fit = o.loss == LossKind::kPoisson ? naive_divergence(Z, X * Y) : 0.5 * (Z - X * Y).squaredNorm();
  return fit + p.l1_x * X.sum() + p.l2_x / 2 * X.squaredNorm() + p.l1_y * Y.sum() + p.l2_y / 2 * Y.squaredNorm();
}

double said_objective(const Factorization& run, const Matrix& Z, const FactorizeOptions& o) {
  const double error = run.relative_error() * Z.norm();
  return (o.loss == LossKind::kPoisson ? run.divergence() : 0.5 * error * error) + run.penalty();
}

Factorization finished(const Matrix& Z, const FactorizeOptions& options, std::uint64_t seed = 1,
                       Executor& executor = serial_executor()) {
  auto run = Factorization::create(data::view(Z), options, Seed::from_number(seed), executor);
  EXPECT_TRUE(run) << run.error().message;
  while (!run->done()) EXPECT_TRUE(run->step());
  return std::move(*run);
}

FactorizeOptions options_of(LossKind loss, Index rank, const Penalties& penalties, int iterations = 60) {
  FactorizeOptions options;
  options.loss = loss;
  options.rank = rank;
  options.penalties = penalties;
  options.iterations = iterations;
  options.tolerance = 0;
  return options;
}

std::shared_ptr<const KnownColumns> known_of(const Matrix& columns) {
  KnownColumns known{columns, {}};
  for (Index k = 0; k < columns.cols(); ++k) known.names.push_back("k" + std::to_string(k));
  return std::make_shared<const KnownColumns>(std::move(known));
}

double cosine(const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return a.dot(b) / (a.norm() * b.norm()); }

Index zeros(const Matrix& m) { return (m.array() <= 1e-6 * m.maxCoeff()).count(); }

class GaugeTest : public testing::TestWithParam<std::tuple<LossKind, Index>> {
 protected:
  // Rank 33 takes the coordinate steps of the Poisson loss.
  [[nodiscard]] LossKind loss() const { return std::get<0>(GetParam()); }
  [[nodiscard]] Index rank() const { return std::get<1>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Losses, GaugeTest,
                         testing::Combine(testing::Values(LossKind::kSquares, LossKind::kPoisson),
                                          testing::Values(Index{4}, Index{33})));

const Penalties kBoth{0.7, 0.4, 0.9, 0.2};

TEST_P(GaugeTest, WhatIsSaidToBeMinimisedIsTheDocumentedSumAndItFalls) {
  const Made data = made(3, 40, 90, 4);
  for (const Penalties& penalties :
       {kBoth, Penalties{2, 1, 0, 0}, Penalties{0, 0, 3, 0.1}, Penalties{0, 3, 0, 0.2}, Penalties{0.4, 0, 0.1, 0}}) {
    const FactorizeOptions options = options_of(loss(), rank(), penalties, 30);
    auto run = Factorization::create(data::view(data.Z), options, Seed::from_number(2));
    ASSERT_TRUE(run);
    double before = 0;
    for (int n = 0; !run->done(); ++n) {
      ASSERT_TRUE(run->step());
      const double said = said_objective(*run, data.Z, options);
      EXPECT_NEAR(said, naive_objective(data.Z, run->X(), run->Y(), options), 1e-9 * said) << n;
      // The first rounds of the Poisson loss are accepted whatever they lead to.
      if (n > 7) {
        EXPECT_LE(said, before * (1 + 1e-12)) << n;
      }
      before = said;
    }
  }
}

// At a minimum no component can be made longer in X and shorter in Y at a profit, and no entry can be moved.
TEST_P(GaugeTest, LengthsAndEntriesAreThoseOfAMinimum) {
  if (rank() > 4) return;
  const Made data = made(4, 30, 60, 4);
  const FactorizeOptions options = options_of(loss(), 4, kBoth, 1500);
  const Factorization run = finished(data.Z, options);
  const Matrix& X = run.X();
  const Matrix Y = run.Y();
  const auto lengths = [&](double l1, double l2, const auto& v) { return l1 * v.sum() + l2 * v.squaredNorm(); };
  for (Index k = 0; k < 4; ++k) {
    const double on_x = lengths(kBoth.l1_x, kBoth.l2_x, X.col(k));
    EXPECT_NEAR(on_x / lengths(kBoth.l1_y, kBoth.l2_y, Y.row(k)), 1, 1e-3);
  }
  const double best = naive_objective(data.Z, X, Y, options);
  for (const double by : {0.99, 1.01}) {
    for (Index t = 0; t < X.size(); t += 3) {
      Matrix other = X;
      other.data()[t] = by * other.data()[t] + (by > 1 ? 1e-4 : 0);
      EXPECT_GE(naive_objective(data.Z, other, Y, options), best * (1 - 1e-7)) << t;
    }
    for (Index t = 0; t < Y.size(); t += 7) {
      Matrix other = Y;
      other.data()[t] = by * other.data()[t] + (by > 1 ? 1e-4 : 0);
      EXPECT_GE(naive_objective(data.Z, X, other, options), best * (1 - 1e-7)) << t;
    }
  }
}

TEST_P(GaugeTest, PenaltiesDoWhatTheyAreFor) {
  const Made data = made(5, 40, 90, 4, 37, 0.2);
  const bool few = rank() == 4;  // of 33 components most are noise, and small with or without penalties
  const Factorization plain = finished(data.Z, options_of(loss(), rank(), {}));
  const Factorization sparse = finished(data.Z, options_of(loss(), rank(), {20, 20, 0, 0}));
  const Factorization small = finished(data.Z, options_of(loss(), rank(), {0, 0, 20, 20}));
  if (few) {
    EXPECT_GT(zeros(sparse.X()) + zeros(sparse.Y()), zeros(plain.X()) + zeros(plain.Y()));
  }
  EXPECT_LT(small.X().squaredNorm() + small.Y().squaredNorm(), plain.X().squaredNorm() + plain.Y().squaredNorm());
  const Factorization alone = finished(data.Z, options_of(loss(), rank(), {0, 20, 0, 0}));
  if (few) {
    EXPECT_GT(zeros(alone.Y()), zeros(plain.Y()));
  }
  for (Index k = 0; k < rank(); ++k) EXPECT_NEAR(alone.X().col(k).norm(), 1, 1e-12);
  const Factorization other = finished(data.Z, options_of(loss(), rank(), {20, 0, 0, 0}));
  if (few) {
    EXPECT_GT(zeros(other.X()), zeros(plain.X()));
  }
  const Matrix Y = other.Y();
  for (Index k = 0; k < rank(); ++k) {
    if (Y.row(k).sum() > 0) {
      EXPECT_NEAR(Y.row(k).norm(), 1, 1e-9);
    }
  }
}

// Holders of even parts of Z, and the descent over the sums of their answers.
class Network {
 public:
  Network(const Matrix& Z, Index rank, Index parts, const LossOptions& options) : loss_(loss_of(options)) {
    common_.scale = 2;
    const Index count = Z.cols() / parts;
    for (Index part = 0; part < parts; ++part) {
      holders_.push_back(std::make_unique<Holder>(data::view(Z, {count * part, count}), serial_executor(), loss_));
      holders_.back()->begin(rank, common_.scale);
      const Common own = holders_.back()->common();
      common_.row_totals.resize(own.row_totals.size());
      for (std::size_t l = 0; l < own.row_totals.size(); ++l) common_.row_totals[l] += own.row_totals[l];
    }
    const Index rows = Z.rows();
    descent_ = std::make_unique<Descent>(
        DescentOptions{30, 1}, [=](int) { return common_start(Start::kRandom, rows, rank, Seed::from_number(9)); },
        loss_);
    EXPECT_TRUE(descent_->begin(common_));
  }
  [[nodiscard]] bool done() const { return descent_->done(); }
  // The next round. Returns the loss that its totals tell, in units of the data.
  double step() {
    Moments totals = holders_.front()->answer(descent_->request());
    for (std::size_t i = 1; i < holders_.size(); ++i) totals += holders_[i]->answer(descent_->request());
    X = descent_->asked_X(totals);
    Y.resize(X.cols(), 0);
    for (const auto& holder : holders_) {
      if (!descent_->request().gauge.empty()) holder->take_gauge(descent_->asked_gauge(totals));
      const Matrix own = holder->Y();
      Matrix wider(X.cols(), Y.cols() + own.cols());
      wider << Y, own;
      Y = wider;
    }
    const bool measure = descent_->measures_only();
    const std::vector<double> numbers = loss_->to_numbers(totals, measure);
    EXPECT_EQ(numbers.size(), loss_->words(X.rows(), X.cols(), measure));
    const double told = loss_->value(totals, descent_->request(), common_);
    EXPECT_TRUE(descent_->absorb(loss_->from_numbers(numbers, X.rows(), X.cols(), measure)));
    return scaled_loss(loss_->kind(), told, common_.scale) * (loss_->kind() == LossKind::kSquares ? 0.5 : 1);
  }
  Matrix X, Y;  // of the last answer

 private:
  std::shared_ptr<const Loss> loss_;
  Common common_;
  std::vector<std::unique_ptr<Holder>> holders_;
  std::unique_ptr<Descent> descent_;
};

TEST_P(GaugeTest, TheLossOfTotalsIsThatOfXAndYAndThatOfOneMachineInEveryIteration) {
  const Made data = made(6, 30, 80, 4);
  for (const Penalties& penalties : {Penalties{}, kBoth, Penalties{0.5, 0, 0.5, 0}}) {
    const FactorizeOptions options = options_of(loss(), rank(), penalties, 25);
    const LossOptions minimised{loss(), automatic_curvature(30, rank()), penalties, 0};
    Network ten(data.Z, rank(), 10, minimised);
    Network one(data.Z, rank(), 1, minimised);
    while (!ten.done()) {
      const double told = ten.step();
      // Rank 33 fits these data nearly exactly: what is left then has fewer digits.
      const double digits = 1e-9 * told + 1e-13 * data.Z.squaredNorm();
      EXPECT_NEAR(told, naive_objective(data.Z, ten.X, ten.Y, options), digits);
      EXPECT_NEAR(told, one.step(), digits);
    }
    EXPECT_TRUE(one.done());
  }
}

TEST_P(GaugeTest, ThreadsChangeNoByte) {
  const Made data = made(6, 300, 1200, 4);
  FactorizeOptions options = options_of(loss(), 4, kBoth, 8);
  options.known = known_of(data.X.leftCols(1));
  TestThreads threads;
  const Factorization one = finished(data.Z, options, 1);
  const Factorization several = finished(data.Z, options, 1, threads);
  EXPECT_EQ(one.X(), several.X());
  EXPECT_EQ(one.Y(), several.Y());
}

TEST_P(GaugeTest, ASavedRunGoesOnToTheSameBytes) {
  const Made data = made(7, 25, 60, 4);
  FactorizeOptions options = options_of(loss(), rank(), kBoth, 24);
  options.starts = 2;
  options.known = known_of(data.X.leftCols(1));
  const Factorization whole = finished(data.Z, options);
  auto first = Factorization::create(data::view(data.Z), options, Seed::from_number(1));
  for (int n = 0; n < 11; ++n) ASSERT_TRUE(first->step());
  auto second = Factorization::create(data::view(data.Z), options, Seed::from_number(1));
  ASSERT_TRUE(second->load(first->save()));
  while (!second->done()) ASSERT_TRUE(second->step());
  EXPECT_EQ(second->X(), whole.X());
  EXPECT_EQ(second->Y(), whole.Y());
  EXPECT_EQ(second->penalty(), whole.penalty());
}

TEST_P(GaugeTest, KnownColumnsStayToTheBitAndTheOthersAreFound) {
  if (rank() > 4) return;
  Stream stream = test_stream(11);
  const Made data = made(8, 96, 400, 5, 200, 0);
  FactorizeOptions options = options_of(loss(), 5, {}, 300);
  options.starts = 3;
  options.known = known_of(1.0 / 3 * data.X.leftCols(2));
  const Factorization run = finished(data.Z, options);
  EXPECT_EQ(run.X().leftCols(2), options.known->values);
  for (Index made_one = 2; made_one < 5; ++made_one) {
    double best = 0;
    for (Index k = 2; k < 5; ++k) best = std::max(best, cosine(run.X().col(k), data.X.col(made_one)));
    EXPECT_GT(best, 0.98) << made_one;
  }
  EXPECT_LT(run.relative_error(), 0.02);
  // With penalties, too.
  options.penalties = {0, 1, 0, 1};
  const Factorization penalised = finished(data.Z, options);
  EXPECT_EQ(penalised.X().leftCols(2), options.known->values);
}

TEST_P(GaugeTest, AllKnownIsWhatTransformDoes) {
  const Made data = made(9, 30, 50, 4);
  for (const Penalties& penalties : {Penalties{}, Penalties{0, 0.5, 0, 0.25}}) {
    FactorizeOptions options = options_of(loss(), 4, penalties);
    options.known = known_of(data.X);
    const Factorization run = finished(data.Z, options);
    EXPECT_EQ(run.X(), data.X);
    EXPECT_EQ(run.stopped_because(), "known");
    const Matrix Y = best_coordinates(data.X, data::view(data.Z), {.kind = loss(), .penalties = penalties});
    const double best = naive_objective(data.Z, data.X, Y, options);
    EXPECT_NEAR(naive_objective(data.Z, data.X, run.Y(), options), best, 1e-6 * best);
    for (Index t = 0; t < Y.size(); t += 5) {
      for (const double by : {0.98, 1.02}) {
        Matrix other = Y;
        other.data()[t] = by * other.data()[t] + (by > 1 ? 1e-4 : 0);
        EXPECT_GE(naive_objective(data.Z, data.X, other, options), best * (1 - 1e-9));
      }
    }
  }
}

TEST_P(GaugeTest, RanksAboveTheSmallerSideAreFactorised) {
  const Made data = made(10, 6, 9, 3);
  const Factorization run = finished(data.Z, options_of(loss(), 12, {}, 200));
  EXPECT_LT(run.relative_error(), 1e-2);
  EXPECT_EQ(run.X().cols(), 12);
}

TEST(Known, WhatCannotBeKnownIsRefusedWithASentence) {
  const Made data = made(12, 8, 20, 3);
  FactorizeOptions options = options_of(LossKind::kSquares, 2, {});
  const auto refusal = [&](const Matrix& columns) {
    options.known = known_of(columns);
    const auto run = Factorization::create(data::view(data.Z), options, Seed::from_number(1));
    return run ? std::string() : run.error().message;
  };
  EXPECT_EQ(refusal(data.X), "there are 3 known components, more than `rank=2`: raise it, or leave some out");
  EXPECT_EQ(refusal(Matrix::Ones(7, 1)), "the known components have 7 rows, and the data 8");
  EXPECT_EQ(refusal(-Matrix::Ones(8, 1)), "the known components hold a value that is negative or not a finite number");
  Matrix gone = data.X.leftCols(2);
  gone.col(1).setZero();
  EXPECT_EQ(refusal(gone), "the known component k1 is all zero");
}

}  // namespace
}  // namespace ppdnmf::nmf
