// Erratum 3 for a whole network: from X = U = all ones and Y = 0 the printed updates keep the columns of every agent's
// X equal for ever, so that every agent is stuck at rank one. Shown in integers, where it cannot be an accident of
// round-off: numbers are multiples of 2^-24, every sum over columns is exact, and every rounding looks at one entry
// alone. Nothing in such arithmetic can tell one column from another, except what is in the column.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include <ppdnmf/base/int128.h>
#include <ppdnmf/nmf/factorize.h>

namespace ppdnmf::scenario {
namespace {

constexpr int kShift = 24;
constexpr std::int64_t kOne = std::int64_t{1} << kShift;

// Rows of integers; an entry stands for entry / 2^24.
using Grid = std::vector<std::vector<std::int64_t>>;

std::int64_t narrowed(Int128 product) { return static_cast<std::int64_t>(product >> kShift); }

Grid grid(std::size_t rows, std::size_t columns, std::int64_t value) {
  return {rows, std::vector<std::int64_t>(columns, value)};
}

// Entry by entry.
template <typename F>
Grid each(const F& f, const Grid& a, const Grid& b) {
  Grid out = a;
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t c = 0; c < a[r].size(); ++c) out[r][c] = f(a[r][c], b[r][c]);
  }
  return out;
}
Grid plus(const Grid& a, const Grid& b) {
  return each([](std::int64_t x, std::int64_t y) { return x + y; }, a, b);
}
Grid minus(const Grid& a, const Grid& b) {
  return each([](std::int64_t x, std::int64_t y) { return x - y; }, a, b);
}
Grid times(std::int64_t s, const Grid& a) {
  return each([s](std::int64_t x, std::int64_t) { return narrowed(static_cast<Int128>(s) * x); }, a, a);
}
Grid positive(const Grid& a) {
  return each([](std::int64_t x, std::int64_t) { return x > 0 ? x : 0; }, a, a);
}

Grid transposed(const Grid& a) {
  Grid out = grid(a.front().size(), a.size(), 0);
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t c = 0; c < a[r].size(); ++c) out[c][r] = a[r][c];
  }
  return out;
}

Grid product(const Grid& a, const Grid& b) {
  Grid out = grid(a.size(), b.front().size(), 0);
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t c = 0; c < b.front().size(); ++c) {
      Int128 sum = 0;  // exact: one rounding per entry, whatever the order of the terms
      for (std::size_t t = 0; t < b.size(); ++t) sum += static_cast<Int128>(a[r][t]) * b[t][c];
      out[r][c] = narrowed(sum);
    }
  }
  return out;
}

// right (A + s I)^-1, nearly: steps down the gradient from `guess`, which treat all columns alike; elimination would
// not.
Grid solved(const Grid& right, const Grid& A, std::int64_t s, Grid guess) {
  std::int64_t trace = s;
  for (std::size_t k = 0; k < A.size(); ++k) trace += A[k][k];
  const auto step = static_cast<std::int64_t>((static_cast<Int128>(kOne) << kShift) / trace);
  constexpr int kSteps = 60;
  for (int n = 0; n < kSteps; ++n)
    guess = plus(guess, times(step, minus(right, plus(product(guess, A), times(s, guess)))));
  return guess;
}

struct ExactAgent {
  Grid Z, X, U, P, Q, Q_before, Yt, V, R;
  [[nodiscard]] double error() const {
    const Grid difference = minus(Z, product(X, transposed(Yt)));
    double squares = 0;
    double norm = 0;
    for (std::size_t r = 0; r < Z.size(); ++r) {
      for (std::size_t c = 0; c < Z[r].size(); ++c) {
        squares += static_cast<double>(difference[r][c]) * static_cast<double>(difference[r][c]);
        norm += static_cast<double>(Z[r][c]) * static_cast<double>(Z[r][c]);
      }
    }
    return std::sqrt(squares / norm);
  }
};

constexpr std::size_t kRows = 8;
constexpr std::size_t kRank = 3;
constexpr std::size_t kAgents = 4;  // in a ring
constexpr std::int64_t kMu = kOne / 10;
constexpr std::int64_t kEta = kOne / 4;
constexpr std::int64_t kRho = kOne / 100;  // of every edge

std::vector<ExactAgent> start(const Grid& X0) {
  Stream stream(Seed::from_number(11), 'E');
  const auto draw = [&](std::size_t rows, std::size_t columns) {
    Grid out = grid(rows, columns, 0);
    for (auto& row : out) {
      for (auto& x : row) x = static_cast<std::int64_t>(stream.exponential() * static_cast<double>(kOne));
    }
    return out;
  };
  const Grid truth = draw(kRows, kRank);
  std::vector<ExactAgent> agents;
  for (std::size_t i = 0; i < kAgents; ++i) {
    ExactAgent a;
    a.Z = product(truth, draw(kRank, 4 + 2 * i));
    a.X = a.U = X0;
    a.P = a.Q = a.Q_before = grid(kRows, kRank, 0);
    a.Yt = a.V = a.R = grid(a.Z.front().size(), kRank, 0);
    agents.push_back(std::move(a));
  }
  return agents;
}

// One iteration as printed: equations (8) to (14).
void iterate(std::vector<ExactAgent>& agents) {
  constexpr int kAdmm = 8;
  constexpr std::int64_t kC = 2 * kRho;  // two neighbours each
  std::vector<Grid> ZYt;
  std::vector<Grid> YYt;
  for (const ExactAgent& a : agents) {
    ZYt.push_back(product(a.Z, a.Yt));
    YYt.push_back(product(transposed(a.Yt), a.Yt));
  }
  for (int m = 0; m < kAdmm; ++m) {
    for (std::size_t i = 0; i < kAgents; ++i) {
      ExactAgent& a = agents[i];
      a.X = positive(plus(a.U, a.P));
      const Grid pulled = plus(a.U, minus(plus(a.Q, a.Q), a.Q_before));
      const Grid right = plus(plus(ZYt[i], times(kMu, minus(a.X, a.P))), times(kC, pulled));
      a.U = solved(right, YYt[i], kMu + kC, a.U);
      a.P = minus(a.P, minus(a.X, a.U));
    }
    std::vector<Grid> pulls;
    for (std::size_t i = 0; i < kAgents; ++i) {
      const Grid& left = agents[(i + kAgents - 1) % kAgents].U;
      const Grid& right = agents[(i + 1) % kAgents].U;
      pulls.push_back(times(kRho, minus(plus(left, right), plus(agents[i].U, agents[i].U))));
    }
    for (std::size_t i = 0; i < kAgents; ++i) {
      agents[i].Q_before = agents[i].Q;
      agents[i].Q = plus(agents[i].Q, pulls[i]);
    }
  }
  for (ExactAgent& a : agents) {
    const Grid ZtX = product(transposed(a.Z), a.X);
    const Grid XtX = product(transposed(a.X), a.X);
    for (int k = 0; k < kAdmm; ++k) {
      a.Yt = positive(plus(a.V, a.R));
      a.V = solved(plus(ZtX, times(kEta, minus(a.Yt, a.R))), XtX, kEta, a.V);
      a.R = minus(a.R, minus(a.Yt, a.V));
    }
  }
}

Grid random_start() {
  Stream stream(Seed::from_number(12), 'X');
  Grid X0 = grid(kRows, kRank, 0);
  for (auto& row : X0) {
    for (auto& x : row) x = static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(kOne)));
  }
  return X0;
}

Grid permuted(Grid a) {
  for (auto& row : a) row = {row[2], row[0], row[1]};
  return a;
}

bool columns_are_equal(const Grid& a) {
  for (const auto& row : a) {
    for (const std::int64_t x : row) {
      if (x != row.front()) return false;
    }
  }
  return true;
}

double best_rank_one_error(const Grid& Z) {
  Matrix m(static_cast<Index>(Z.size()), static_cast<Index>(Z.front().size()));
  for (Index r = 0; r < m.rows(); ++r) {
    for (Index c = 0; c < m.cols(); ++c)
      m(r, c) = static_cast<double>(Z[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]) / kOne;
  }
  nmf::FactorizeOptions options;
  options.rank = 1;
  options.tolerance = 0;
  auto run = nmf::Factorization::create(m, options, Seed::from_number(1));
  EXPECT_TRUE(run);
  while (!run->done()) EXPECT_TRUE(run->step());
  return run->relative_error();
}

constexpr int kIterations = 40;

// The arithmetic itself: columns in another order give the same integers in that order. Were one operation to prefer a
// column, the test below would prove nothing.
TEST(ErrataExact, TheIntegersDoNotKnowTheOrderOfTheColumns) {
  std::vector<ExactAgent> agents = start(random_start());
  std::vector<ExactAgent> others = start(permuted(random_start()));
  for (int n = 0; n < kIterations; ++n) {
    iterate(agents);
    iterate(others);
    for (std::size_t i = 0; i < kAgents; ++i) {
      ASSERT_EQ(permuted(agents[i].X), others[i].X) << "iteration " << n << ", agent " << i;
      ASSERT_EQ(permuted(agents[i].Yt), others[i].Yt) << "iteration " << n << ", agent " << i;
    }
  }
}

TEST(ErrataExact, FromAllOnesEveryAgentStaysAtRankOne) {
  std::vector<ExactAgent> agents = start(grid(kRows, kRank, kOne));
  std::vector<ExactAgent> free = start(random_start());
  for (int n = 0; n < kIterations; ++n) {
    iterate(agents);
    iterate(free);
    for (const ExactAgent& a : agents) {
      ASSERT_TRUE(columns_are_equal(a.X)) << "iteration " << n;
      ASSERT_TRUE(columns_are_equal(a.U)) << "iteration " << n;
      ASSERT_TRUE(columns_are_equal(a.Q)) << "iteration " << n;
      ASSERT_TRUE(columns_are_equal(a.Yt)) << "iteration " << n;
    }
  }
  for (std::size_t i = 0; i < kAgents; ++i) {
    const double rank_one = best_rank_one_error(agents[i].Z);
    EXPECT_NE(agents[i].X, grid(kRows, kRank, kOne)) << "nothing was computed";
    EXPECT_GT(agents[i].error(), 0.999 * rank_one) << "agent " << i;
    EXPECT_LT(agents[i].error(), 1.2 * rank_one) << "agent " << i;
    // The same integers from a start with unlike columns do better than any matrix of rank one.
    EXPECT_LT(free[i].error(), 0.5 * rank_one) << "agent " << i;
  }
}

}  // namespace
}  // namespace ppdnmf::scenario
