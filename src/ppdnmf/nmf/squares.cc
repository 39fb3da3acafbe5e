#include <algorithm>

#include <ppdnmf/base/parts.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/internal/bounded_moments.h>
#include <ppdnmf/nmf/internal/column_descent.h>
#include <ppdnmf/nmf/internal/gappy_columns.h>
#include <ppdnmf/nmf/internal/losses.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/loss.h>

namespace ppdnmf::nmf {
namespace {

// Sweeps per column, at most, and the part of the first sweep's change below which a column ends. More of both lower
// the number of iterations little (docs/mathematics.md); a start from nothing needs more.
struct Sweeps {
  int max;
  double part;
};

Sweeps sweeps_of(Effort effort) {
  switch (effort) {
    case Effort::kFromNothing:
      return {50, 1e-4};
    case Effort::kThorough:
      return {10000, 1e-20};
    case Effort::kBounded:
      return {50, 1e-6};
    default:
      return {20, 1e-3};
  }
}

// ||z||² as the lanes' residual adds it up, to the bit: zeros add nothing to any of its sums.
double squares_of_entries(const data::Block& block, Index m, double inverse) {
  double squares[internal::kLanes] = {};
  data::for_entries(block, m, [&](Index row, double z) {
    const double scaled = z * inverse;
    squares[row % internal::kLanes] += scaled * scaled;
  });
  double sum = 0;
  for (const double square : squares) sum += square;
  return sum;
}

bool all_finite(const Matrix& S, Executor& executor) {
  constexpr std::size_t kAtATime = 1 << 15;
  std::vector<char> finite((internal::numbers(S.size()) + kAtATime - 1) / kAtATime);
  for_each_part(executor, internal::numbers(S.size()), kAtATime,
                [&](std::size_t i, std::size_t first, std::size_t count) {
                  finite[i] = Eigen::Map<const Eigen::ArrayXd>(S.data() + first, static_cast<Index>(count)).allFinite();
                });
  return std::all_of(finite.begin(), finite.end(), [](char one) { return one != 0; });
}

// Until the common X has found its components: parts of holders' own that came earlier would take them apart.
constexpr int kCommonRounds = 15;

class SquaresAtX final : public LossAtX {
 public:
  SquaresAtX(const YStep& step, const Sweeps& sweeps) : step_(automatic_lanes(), step, sweeps.max, sweeps.part) {}

  void solve(const Leaf& leaf, Matrix& Y, const Matrix& before, Moments& out) const override {
    if (!leaf.columns.gaps(leaf.range).none()) return internal::GappyColumns(step_, leaf).run(Y, before, out);
    internal::ColumnDescent(step_, leaf).run(Y, before, out);
  }

 private:
  internal::ColumnStep step_;
};

class Squares final : public Loss {
 public:
  using Loss::Loss;

  void constants(const data::Columns& columns, const data::Range& range, double scale, double* out) const override {
    const internal::ColumnLanes& lanes = automatic_lanes();
    const double inverse = 1 / scale;
    std::vector<double> column;
    data::walk(columns, range, [&](const data::Block& block, const data::Range&) {
      for (Index m = 0; m < block.count; ++m) {
        if (!block.dense()) {
          *out++ = squares_of_entries(block, m, inverse);
          continue;
        }
        const double* const z = block.values + m * block.rows;
        column.resize(static_cast<std::size_t>(block.rows));
        for (std::size_t l = 0; l < column.size(); ++l) column[l] = z[l] * inverse;
        *out++ = lanes.residual(block.rows, 0, nullptr, nullptr, column.data());
      }
    });
  }

  [[nodiscard]] std::unique_ptr<LossAtX> at(const YStep& step) const override {
    return std::make_unique<SquaresAtX>(step, sweeps_of(step.effort));
  }

  [[nodiscard]] BoundedMoments bounded(const Leaf& leaf, const Matrix& Y, const Bounds& bounds,
                                       const Matrix* basis) const override {
    return basis == nullptr ? internal::bounded_moments(leaf, Y, bounds)
                            : internal::bounded_moments_in(*basis, leaf, Y, bounds);
  }

  [[nodiscard]] bool adds_S_by_rows() const override { return true; }
  [[nodiscard]] Course course() const override {
    Course course;
    if (options().missing) {
      course.damped = 1.5;
      course.undamped = 1 / 1.1;
    }
    if (options().site_effects > 0) course.common_rounds = kCommonRounds;
    return course;
  }

 private:
  // Where entries are missing S has X y in their place, so that steps with the curvature T are as short as if all were
  // there. The part f of row l that is there makes its curvature f T: the minimum is that of T with another S.
  static void go_further(const Matrix& T, const XStep& step, const Matrix& X, Matrix& S) {
    const Matrix XT = X * T;
    for (Index l = 0; l < S.rows(); ++l) {
      const double part = std::min(1.0, step.damping * step.common.present[static_cast<std::size_t>(l)]);
      S.row(l) = (S.row(l) - (1 - part) * XT.row(l)) / part;
    }
  }

  [[nodiscard]] double value_of(const Moments& totals) const override { return totals.squared_error; }

  [[nodiscard]] bool plausible_of(const Moments& totals, Index rows, Index rank, Executor& executor) const override {
    PPDNMF_CHECK(totals.S.rows() == rows && totals.S.cols() == rank);
    PPDNMF_CHECK(totals.T.rows() == rank && totals.T.cols() == rank);
    return all_finite(totals.S, executor) && totals.T.allFinite() && totals.T.diagonal().minCoeff() >= 0;
  }

  // S, the upper triangle of T, the squared error.
  [[nodiscard]] std::size_t words_of(Index rows, Index rank, bool measure) const override {
    return measure ? 1 : static_cast<std::size_t>(rows * rank + rank * (rank + 1) / 2 + 1);
  }
  [[nodiscard]] std::vector<double> numbers_of(const Moments& m, bool measure) const override {
    if (measure) return {m.squared_error};
    std::vector<double> values(m.S.data(), m.S.data() + m.S.size());
    for (Index k = 0; k < m.T.cols(); ++k) values.insert(values.end(), m.T.col(k).data(), m.T.col(k).data() + k + 1);
    values.push_back(m.squared_error);
    return values;
  }
  [[nodiscard]] Moments moments_of(std::span<const double> values, Index rows, Index rank,
                                   bool measure) const override {
    if (measure) return {{}, {}, values[0]};
    Moments m{Matrix(rows, rank), Matrix(rank, rank), values.back()};
    std::copy_n(values.begin(), m.S.size(), m.S.data());
    auto next = values.begin() + m.S.size();
    for (Index k = 0; k < rank; ++k) {
      for (Index j = 0; j <= k; ++j) m.T(j, k) = m.T(k, j) = *next++;
    }
    return m;
  }

  // The X step needs no data and is cheap, so rows that need many sweeps get them. Yet a more exact one does not help:
  // what it minimises is not the error that counts (docs/mathematics.md, section 10).
  void next_X_of(const Moments& totals, const XStep& step, Matrix& X, Executor& executor) const override {
    constexpr int kSweeps = 100;
    constexpr double kPart = 1e-2;
    const auto descend = [&](const Matrix& T, const Matrix& S) {
      internal::descend_rows(automatic_lanes(), T, S, kSweeps, kPart, X, executor, known());
    };
    if (!step.weights.any() && step.common.present.empty()) return descend(totals.T, totals.S);
    Matrix S = totals.S;
    Matrix T = totals.T;
    if (step.weights.any()) {
      for (Index k = 0; k < S.cols(); ++k) S.col(k).array() -= step.weights.linear[static_cast<std::size_t>(k)];
      T = internal::with_squares(std::move(T), step.weights);
    }
    if (!step.common.present.empty()) go_further(T, step, X, S);
    descend(T, S);
  }
};

}  // namespace

std::shared_ptr<const Loss> internal::squares(const LossOptions& options) { return std::make_shared<Squares>(options); }

}  // namespace ppdnmf::nmf
