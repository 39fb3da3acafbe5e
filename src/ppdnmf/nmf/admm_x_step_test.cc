#include <ppdnmf/nmf/admm_x_step.h>

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <atomic>
#include <cstdlib>
#include <vector>

#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/nmf/test_matrices.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PPDNMF_COUNTS_ALLOCATIONS 0
#else
#define PPDNMF_COUNTS_ALLOCATIONS 1
#endif

namespace {

std::atomic<std::uint64_t> allocations = 0;

}  // namespace

#if PPDNMF_COUNTS_ALLOCATIONS
// Stands before the C library's: everything that allocates in this program, operator new and Eigen included, is
// counted.
extern "C" void* __libc_malloc(std::size_t size);     // NOLINT
extern "C" void* malloc(std::size_t size) noexcept {  // NOLINT
  ++allocations;
  return __libc_malloc(size);
}
#endif

namespace ppdnmf::nmf {
namespace {

constexpr double kUnit = 1.0 / 1024;

std::vector<Int128> random_pull(Stream& stream, Index size) {
  std::vector<Int128> pull(static_cast<std::size_t>(size));
  for (Int128& entry : pull) entry = static_cast<Int128>(stream.below(2001)) - 1000;
  return pull;
}

Matrix as_matrix(const std::vector<Int128>& pull, Index rows, Index columns, double unit) {
  Matrix m(rows, columns);
  for (Index t = 0; t < m.size(); ++t) m.data()[t] = unit * static_cast<double>(pull[static_cast<std::size_t>(t)]);
  return m;
}

// The update written down as it stands in docs/mathematics.md, with a dense inverse.
struct Direct {
  Updates updates;
  Matrix X, U, P, Q, Q_before;

  Direct(const Matrix& X0, Updates u)
      : updates(u), X(X0), U(X0), P(Matrix::Zero(X0.rows(), X0.cols())), Q(P), Q_before(P) {}

  void update(const Matrix& Z, const Matrix& Y, double mu, double c) {
    const Index K = X.cols();
    X = (U + P).cwiseMax(0);
    const Matrix consensus =
        updates == Updates::kCorrected ? Matrix(c * U + 2 * Q - Q_before) : Matrix(c * (U + 2 * Q - Q_before));
    const Matrix right = Z * Y.transpose() + mu * (X - P) + consensus;
    U = right * (Y * Y.transpose() + (mu + c) * Matrix::Identity(K, K)).inverse();
    P -= X - U;
  }
  void absorb(const Matrix& S) {
    Q_before = Q;
    Q += updates == Updates::kCorrected ? Matrix(S / 2) : S;
  }
};

void expect_near(const Matrix& got, const Matrix& wanted, const char* what) {
  EXPECT_LE((got - wanted).norm(), 1e-11 * (1 + wanted.norm())) << what;
}

class EveryVariant : public testing::TestWithParam<Updates> {};
INSTANTIATE_TEST_SUITE_P(Updates, EveryVariant, testing::Values(Updates::kCorrected, Updates::kAsPrinted));

TEST_P(EveryVariant, UpdatesEqualADirectSolve) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Stream stream = test_stream(seed);
    const auto L = static_cast<Index>(2 + stream.below(8));
    const auto K = static_cast<Index>(1 + stream.below(5));
    const auto M = static_cast<Index>(1 + stream.below(6));
    const Matrix Z = random_matrix(stream, L, M);
    const Matrix Y = random_matrix(stream, K, M);
    const Matrix X0 = random_matrix(stream, L, K);
    AdmmXStep factor(X0, GetParam(), kUnit);
    Direct direct(X0, GetParam());
    factor.begin(Z, Y, 0.3);
    for (int m = 0; m < 6; ++m) {
      const double c = 0.1 + stream.uniform();
      factor.update(c);
      direct.update(Z, Y, 0.3, c);
      const std::vector<Int128> pull = random_pull(stream, L * K);
      factor.absorb(pull);
      direct.absorb(as_matrix(pull, L, K, kUnit));
      expect_near(factor.X(), direct.X, "X");
      expect_near(factor.U(), direct.U, "U");
      expect_near(factor.P(), direct.P, "P");
      expect_near(factor.Q(), direct.Q, "Q");
    }
  }
}

TEST(AdmmXStep, RoundsRepeatTheUpdateAroundTheSameU) {
  Stream stream = test_stream(3);
  const Matrix Z = random_matrix(stream, 6, 4);
  const Matrix Y = random_matrix(stream, 3, 4);
  const Matrix X0 = random_matrix(stream, 6, 3);
  AdmmXStep factor(X0, Updates::kCorrected, kUnit);
  factor.begin(Z, Y, 0.5);
  factor.update(0.7, 3);
  Matrix U = X0;
  Matrix P = Matrix::Zero(6, 3);
  const Matrix inverse = (Y * Y.transpose() + 1.2 * Matrix::Identity(3, 3)).inverse();
  for (int round = 0; round < 3; ++round) {
    const Matrix X = (U + P).cwiseMax(0);
    U = (Z * Y.transpose() + 0.5 * (X - P) + 0.7 * X0) * inverse;
    P -= X - U;
  }
  expect_near(factor.U(), U, "U");
  expect_near(factor.P(), P, "P");
}

// A fixed point: X the exact minimiser for Y, and P the multiplier that belongs to it.
struct FixedPoint {
  Matrix Z, Y, X;
  AdmmXStep factor;
};

FixedPoint converged(std::uint64_t seed, double mu, double c) {
  Stream stream = test_stream(seed);
  const Matrix truth = (random_matrix(stream, 7, 3).array() - 0.4).cwiseMax(0);  // some entries are at their bound
  const Matrix Y = random_matrix(stream, 3, 12);
  const Matrix Z = (truth * Y + random_matrix(stream, 7, 12, -0.3, 0.3)).cwiseMax(0);
  AdmmXStep factor(Matrix::Ones(7, 3), Updates::kCorrected, kUnit);
  factor.begin(Z, Y, mu);
  for (int m = 0; m < 20000; ++m) factor.update(c);
  const Matrix exact = nonnegative_least_squares(Y.transpose(), Z.transpose()).transpose();
  return {Z, Y, exact, std::move(factor)};
}

TEST(AdmmXStep, EndsAtTheExactMinimiserWhateverTheProximalTerm) {
  for (const double c : {0.0, 0.5, 20.0}) {
    const FixedPoint at = converged(5, 0.4, c);
    EXPECT_LT((at.factor.X() - at.X).norm(), 1e-9) << "c = " << c;
    EXPECT_GT((at.X.array() == 0).count(), 0) << "no entry at its bound: the multiplier was not tested";
  }
}

TEST(AdmmXStep, TheProximalTermLeavesAFixedPointWhereItIs) {
  FixedPoint at = converged(6, 0.4, 0.1);
  for (const double c : {0.0, 1.0, 100.0}) {
    at.factor.update(c);
    EXPECT_LT((at.factor.U() - at.X).norm(), 1e-9) << "c = " << c;
  }
}

TEST(AdmmXStep, AnotherMuLeavesAFixedPointWhereItIs) {
  FixedPoint at = converged(7, 0.4, 0.1);
  EXPECT_GT(at.factor.P().norm(), 1e-3) << "P is zero: its rescaling was not tested";
  for (const double mu : {4.0, 0.05, 0.4}) {
    at.factor.begin(at.Z, at.Y, mu);
    at.factor.update(0.1);
    EXPECT_LT((at.factor.U() - at.X).norm(), 1e-9) << "mu = " << mu;
  }
}

TEST_P(EveryVariant, SavedAndLoadedGoesOnToTheSameBytes) {
  Stream stream = test_stream(8);
  const Matrix Z = random_matrix(stream, 5, 4);
  const Matrix Y = random_matrix(stream, 2, 4);
  AdmmXStep factor(random_matrix(stream, 5, 2), GetParam(), kUnit);
  factor.begin(Z, Y, 0.2);
  const auto round = [&](AdmmXStep& f, std::uint64_t seed) {
    Stream draws = test_stream(seed);
    f.update(0.3, 2);
    f.absorb(random_pull(draws, 10));
  };
  round(factor, 1);
  round(factor, 2);
  ByteWriter out;
  factor.save(out);
  const Bytes saved = out.take();
  AdmmXStep other(Matrix::Zero(5, 2), GetParam(), kUnit);
  ByteReader in(saved);
  other.load(in);
  ASSERT_TRUE(in.status());
  EXPECT_TRUE(other.in_range());
  EXPECT_EQ(other.dual_residual(), factor.dual_residual());
  other.begin(Z, Y, 0.2);
  round(factor, 3);
  round(other, 3);
  EXPECT_TRUE(factor.X() == other.X() && factor.U() == other.U() && factor.P() == other.P());
  EXPECT_EQ(factor.Q_integer(), other.Q_integer());
}

TEST(AdmmXStep, NumbersThatNoUpdateLeadsToAreOutOfRange) {
  AdmmXStep factor(Matrix::Ones(1, 1), Updates::kCorrected, kUnit);
  EXPECT_TRUE(factor.in_range());
  const std::vector<Int128> huge = {Int128{1} << 101};
  factor.absorb(huge);
  EXPECT_FALSE(factor.in_range());
}

TEST(AdmmXStep, ResidualsAreRelative) {
  AdmmXStep factor(Matrix::Zero(2, 1), Updates::kCorrected, kUnit);
  EXPECT_EQ(factor.primal_residual(), 0);
  factor.begin(Matrix::Ones(2, 1), Matrix::Ones(1, 1), 1);
  factor.update(0);  // X = 0, U = 1 / (1 + 1)
  EXPECT_DOUBLE_EQ(factor.U()(0, 0), 0.5);
  EXPECT_DOUBLE_EQ(factor.primal_residual(), 1);
  EXPECT_DOUBLE_EQ(factor.dual_residual(), 1);
}

class NoAllocation : public testing::TestWithParam<std::pair<Index, Index>> {};
INSTANTIATE_TEST_SUITE_P(Sizes, NoAllocation,
                         testing::Values(std::pair<Index, Index>{30, 5}, std::pair<Index, Index>{361, 49},
                                         std::pair<Index, Index>{96, 8}));

TEST_P(NoAllocation, InUpdateAndAbsorb) {
  if (PPDNMF_COUNTS_ALLOCATIONS == 0) GTEST_SKIP() << "a sanitizer has its own malloc, which cannot be counted here";
  const auto& [L, K] = GetParam();
  Stream stream = test_stream(9);
  const Matrix Z = random_matrix(stream, L, 40);
  AdmmXStep factor(random_matrix(stream, L, K), Updates::kCorrected, kUnit);
  factor.begin(Z, random_matrix(stream, K, 40), 0.2);
  const std::vector<Int128> pull = random_pull(stream, L * K);
  const std::uint64_t before = allocations;
  factor.update(0.3, 4);
  factor.absorb(pull);
  factor.update(0.4, 1);
  const std::uint64_t after = allocations;
  EXPECT_EQ(after - before, 0U);
  const std::vector<int> counted(100);
  EXPECT_GT(allocations, after) << "allocations are not counted: this test could not fail";
}

}  // namespace
}  // namespace ppdnmf::nmf
