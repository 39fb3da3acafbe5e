#include <ppdnmf/nmf/lanes.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include <ppdnmf/nmf/internal/lane_functions.h>
#include <ppdnmf/nmf/internal/lane_products.h>
#include <ppdnmf/nmf/test_matrices.h>

namespace ppdnmf::nmf::internal {
namespace {

std::vector<const ColumnLanes*> available() {
  std::vector<const ColumnLanes*> all{baseline_lanes()};
  if (lanes_available(Lanes::kAvx2)) all.push_back(avx2_lanes());
  if (lanes_available(Lanes::kAvx512)) all.push_back(avx512_lanes());
  return all;
}

std::vector<double> random_numbers(Stream& stream, long count) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (double& number : numbers) number = stream.uniform() - 0.3;
  return numbers;
}

TEST(Lanes, ATileAddsFromLeftToRightOnEveryPath) {
  Stream stream = test_stream(1);
  for (long groups = 1; groups <= kTileGroups; ++groups) {
    for (const long depth : {0L, 1L, 2L, 7L, 64L, 301L}) {
      const std::vector<double> A = random_numbers(stream, groups * depth * kLanes);
      const std::vector<double> B = random_numbers(stream, kTileColumns * depth + 1);
      const std::vector<double> C = random_numbers(stream, kTileColumns * groups * kLanes);
      const double* b[kTileColumns];
      for (long j = 0; j < kTileColumns; ++j) b[j] = B.data() + j * depth;
      std::vector<double> expected = C;
      for (long j = 0; j < kTileColumns; ++j) {
        for (long r = 0; r < groups * kLanes; ++r) {
          double& sum = expected[static_cast<std::size_t>(j * groups * kLanes + r)];
          for (long d = 0; d < depth; ++d)
            sum += A[static_cast<std::size_t>(r / kLanes * depth * kLanes + d * kLanes + r % kLanes)] * b[j][d];
        }
      }
      for (const ColumnLanes* lanes : available()) {
        std::vector<double> got = C;
        lanes->tile(groups, depth, A.data(), depth * kLanes, b, got.data(), groups * kLanes);
        EXPECT_EQ(got, expected) << groups << " groups, depth " << depth;
      }
    }
  }
}

TEST(Lanes, GatheringAndScatteringAddFromLeftToRightOnEveryPath) {
  Stream stream = test_stream(5);
  constexpr long kRows = 40;
  for (const long groups : {1L, 2L, 3L, 4L, 5L, 7L}) {
    for (const long count : {0L, 1L, 2L, 13L, kRows}) {
      const std::vector<double> A = random_numbers(stream, groups * kRows * kLanes);
      const std::vector<double> a = random_numbers(stream, groups * kLanes);
      const std::vector<double> b = random_numbers(stream, count + 1);
      const std::vector<double> C = random_numbers(stream, groups * kLanes);
      std::vector<int> at;
      for (long i = 0; i < count; ++i) at.push_back(static_cast<int>(i * kRows / count));
      std::vector<double> sums = C;
      std::vector<double> spread = A;
      for (long r = 0; r < groups * kLanes; ++r) {
        for (long i = 0; i < count; ++i) {
          const auto place =
              static_cast<std::size_t>((r / kLanes * kRows + at[static_cast<std::size_t>(i)]) * kLanes + r % kLanes);
          sums[static_cast<std::size_t>(r)] += A[place] * b[static_cast<std::size_t>(i)];
          spread[place] += a[static_cast<std::size_t>(r)] * b[static_cast<std::size_t>(i)];
        }
      }
      for (const ColumnLanes* lanes : available()) {
        std::vector<double> got = C;
        lanes->gather(groups, count, at.data(), 0, b.data(), A.data(), kRows * kLanes, got.data());
        EXPECT_EQ(got, sums) << groups << " groups, " << count << " entries";
        got = A;
        lanes->scatter(groups, count, at.data(), b.data(), a.data(), kLanes, got.data(), kRows * kLanes);
        EXPECT_EQ(got, spread) << groups << " groups, " << count << " entries";
        // The same numbers with the columns one behind the other, from the fourth on.
        constexpr long kFirst = 3;
        std::vector<int> later = at;
        for (int& column : later) column += kFirst;
        const auto turned = [&](const std::vector<double>& grouped) {
          std::vector<double> out(grouped.size());
          for (long d = 0; d < kRows; ++d) {
            for (long r = 0; r < groups * kLanes; ++r)
              out[static_cast<std::size_t>(d * groups * kLanes + r)] =
                  grouped[static_cast<std::size_t>((r / kLanes * kRows + d) * kLanes + r % kLanes)];
          }
          return out;
        };
        got = turned(A);
        lanes->spread(groups, count, later.data(), kFirst, b.data(), a.data(), got.data());
        EXPECT_EQ(got, turned(spread)) << groups << " groups, " << count << " entries";
      }
    }
  }
}

TEST(Lanes, JoiningMultipliesBothOnEveryPath) {
  Stream stream = test_stream(6);
  constexpr long kCount = 5 * kLanes;
  const std::vector<double> a = random_numbers(stream, kCount);
  const std::vector<double> b = random_numbers(stream, kCount);
  for (const ColumnLanes* lanes : available()) {
    std::vector<double> got = a;
    lanes->join(kCount, b.data(), 0.25, got.data());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], a[i] * 0.25 + b[i] * 0.25);
  }
}

// One column at a time and in plain words: what a lane must do whatever its neighbours do.
std::vector<double> descend_alone(const LaneProblem& problem, const double* s, std::vector<double> x, int sweeps,
                                  double part) {
  double enough = 0;
  for (int n = 0; n < sweeps; ++n) {
    double change = 0;
    for (long k = 0; k < problem.size; ++k) {
      if (problem.inverse[k] == 0) continue;
      double sums[kPartialSums] = {};
      for (long j = 0; j < problem.padded; ++j)
        sums[j % kPartialSums] += x[static_cast<std::size_t>(j)] * problem.T[k * problem.padded + j];
      const double product = (sums[0] + sums[1]) + (sums[2] + sums[3]);
      double& place = x[static_cast<std::size_t>(k)];
      double next = place + (s[k * kBlock] - product) * problem.inverse[k];
      next = next > 0 ? next : 0;
      change += (next - place) * (next - place) * problem.T[k * problem.padded + k];
      place = next;
    }
    if (n == 0) enough = change * part;
    if (!(change > enough)) break;
  }
  return x;
}

TEST(Lanes, AColumnDescendsAsIfItWereAlone) {
  Stream stream = test_stream(2);
  for (const Index K : {1, 2, 3, 4, 5, 8, 13, 49}) {
    Matrix X = random_matrix(stream, K + 5, K);
    if (K > 2) X.col(1).setZero();  // a coordinate without a curvature
    const LaneQuadratic quadratic(X.transpose() * X);
    const LaneProblem problem = quadratic.problem();
    const std::vector<double> s = random_numbers(stream, K * kBlock);
    std::vector<double> start(static_cast<std::size_t>(problem.padded * kBlock));
    for (long t = 0; t < K * kBlock; ++t) start[static_cast<std::size_t>(t)] = t % 3 == 0 ? 0 : stream.uniform();
    for (const int sweeps : {0, 1, 2, 20, 300}) {
      for (const ColumnLanes* lanes : available()) {
        std::vector<double> got = start;
        lanes->descend(problem, s.data(), got.data(), sweeps, 1e-3);
        for (long i = 0; i < kBlock; ++i) {
          std::vector<double> alone(static_cast<std::size_t>(problem.padded));
          for (long k = 0; k < K; ++k)
            alone[static_cast<std::size_t>(k)] = start[static_cast<std::size_t>(k * kBlock + i)];
          alone = descend_alone(problem, s.data() + i, alone, sweeps, 1e-3);
          for (long k = 0; k < K; ++k) {
            EXPECT_EQ(got[static_cast<std::size_t>(k * kBlock + i)], alone[static_cast<std::size_t>(k)])
                << "K " << K << ", sweeps " << sweeps << ", lane " << i << ", coordinate " << k;
          }
        }
      }
    }
  }
}

TEST(Lanes, ErrorsAreTheSameOnEveryPath) {
  Stream stream = test_stream(3);
  for (const Index rows : {1, 7, 8, 9, 16, 31, 361}) {
    for (const Index K : {1, 3, 8, 10}) {
      const Matrix X = random_matrix(stream, rows, K);
      const Matrix Y = random_matrix(stream, K, kBlock);
      const Matrix Z = X * Y + random_matrix(stream, rows, kBlock);
      const LaneQuadratic quadratic(X.transpose() * X);
      const Matrix XtZ = X.transpose() * Z;
      std::vector<double> s(static_cast<std::size_t>(K * kBlock));
      std::vector<double> x(static_cast<std::size_t>(quadratic.problem().padded * kBlock));
      for (Index k = 0; k < K; ++k) {
        for (Index m = 0; m < kBlock; ++m) {
          s[static_cast<std::size_t>(k * kBlock + m)] = XtZ(k, m);
          x[static_cast<std::size_t>(k * kBlock + m)] = Y(k, m);
        }
      }
      std::vector<double> first;
      for (const ColumnLanes* lanes : available()) {
        std::vector<double> all(static_cast<std::size_t>(kBlock));
        lanes->quadratic(quadratic.problem(), s.data(), x.data(), all.data());
        for (Index m = 0; m < kBlock; ++m) {
          const double exact = (Z.col(m) - X * Y.col(m)).squaredNorm();
          EXPECT_NEAR(all[static_cast<std::size_t>(m)] + Z.col(m).squaredNorm(), exact, 1e-9 * Z.squaredNorm());
          const double direct = lanes->residual(rows, K, X.data(), Y.data() + m * K, Z.data() + m * rows);
          EXPECT_NEAR(direct, exact, 1e-12 * exact);
          all.push_back(direct);
        }
        if (first.empty()) first = all;
        EXPECT_EQ(all, first) << rows << " x " << K;
      }
    }
  }
}

TEST(Lanes, RowsDescendToTheLeastSquares) {
  Stream stream = test_stream(4);
  for (const Index rows : {1, 15, 16, 17, 40}) {
    const Matrix Y = random_matrix(stream, 4, 30);
    const Matrix truth = (random_matrix(stream, rows, 4).array() - 0.4).cwiseMax(0);
    Matrix X = Matrix::Ones(rows, 4);
    descend_rows(*baseline_lanes(), Y * Y.transpose(), truth * Y * Y.transpose(), 5000, 0, X);
    EXPECT_LT((X - truth).cwiseAbs().maxCoeff(), 1e-9) << rows;
  }
}

TEST(Lanes, TheEnvironmentChoosesAndAWrongWordIsASentence) {
  ASSERT_EQ(setenv("PPDNMF_LANES", "baseline", 1), 0);
  ASSERT_TRUE(choose_lanes(Lanes::kAutomatic));
  EXPECT_EQ(*choose_lanes(Lanes::kAutomatic), Lanes::kBaseline);
  EXPECT_EQ(&automatic_lanes(), baseline_lanes());
  ASSERT_EQ(setenv("PPDNMF_LANES", "sse9", 1), 0);
  const auto refused = choose_lanes(Lanes::kAutomatic);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  EXPECT_NE(refused.error().message.find("sse9"), std::string::npos);
  ASSERT_EQ(unsetenv("PPDNMF_LANES"), 0);
  EXPECT_TRUE(choose_lanes(Lanes::kAutomatic));
}

}  // namespace
}  // namespace ppdnmf::nmf::internal
