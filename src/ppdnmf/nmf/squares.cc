#include <algorithm>

#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/internal/bounded_moments.h>
#include <ppdnmf/nmf/internal/column_descent.h>
#include <ppdnmf/nmf/internal/losses.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/loss.h>

namespace ppdnmf::nmf {
namespace {

// Sweeps per column, at most, and the part of the first sweep's change below which a column ends. More of both lower
// the number of iterations little (docs/mathematics.md); a start from nothing needs more.
struct Sweeps {
  int most;
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

class SquaresAtX final : public LossAtX {
 public:
  SquaresAtX(const YStep& step, const Sweeps& sweeps)
      : step_(automatic_lanes(), step.X, sweeps.most, sweeps.part, step.extrapolation, step.moments) {}

  void solve(const Leaf& leaf, Matrix& Y, const Matrix& before, Moments& out) const override {
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
    std::vector<double> column(static_cast<std::size_t>(columns.rows()));
    std::vector<double> space;
    data::walk(columns, range, [&](const data::Block& block, const data::Range&) {
      for (Index m = 0; m < block.count; ++m) {
        const double* const z = data::dense_column(block, m, space);
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

 private:
  [[nodiscard]] double value_of(const Moments& totals) const override { return totals.squared_error; }

  [[nodiscard]] bool plausible_of(const Moments& totals, Index rows, Index rank) const override {
    PPDNMF_CHECK(totals.S.rows() == rows && totals.S.cols() == rank);
    PPDNMF_CHECK(totals.T.rows() == rank && totals.T.cols() == rank);
    return totals.S.allFinite() && totals.T.allFinite() && totals.T.diagonal().minCoeff() >= 0;
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
  void next_X_of(const Moments& totals, const XStep& /*step*/, Matrix& X, Executor& executor) const override {
    constexpr int kSweeps = 100;
    constexpr double kPart = 1e-2;
    internal::descend_rows(automatic_lanes(), totals.T, totals.S, kSweeps, kPart, X, executor, known());
  }
};

}  // namespace

std::shared_ptr<const Loss> internal::squares(const LossOptions& options) { return std::make_shared<Squares>(options); }

}  // namespace ppdnmf::nmf
