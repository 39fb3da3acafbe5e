#include <ppdnmf/nmf/nnls.h>

#include <Eigen/Cholesky>
#include <utility>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/nmf/internal/column_descent.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {
namespace {

// One column's problem: min 1/2 y' G y - b' y over y >= 0. `passive` are the entries that may be positive.
class Pivoting {
 public:
  explicit Pivoting(const Matrix& gram) : gram_(gram), sub_(gram.rows(), gram.rows()), solution_(gram.rows()) {
    passive_.reserve(gram.rows());
  }

  // `y` holds the guess on entry (its positive entries are passive) and the minimiser on return.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> y) {
    const Index K = gram_.rows();
    state_.assign(K, 0);
    for (Index k = 0; k < K; ++k) state_[k] = y[k] > 0 ? 1 : 0;
    double slack = 1e-12 * b.cwiseAbs().maxCoeff();

    // Full exchange while it makes progress, then a few more tries, then one variable at a time, which cannot cycle in
    // exact arithmetic. Should round-off make it, what is left to gain is round-off, too: the slack grows until it
    // ends.
    constexpr int kTries = 3;
    const Index patience = 100 + 10 * K;
    Index rounds = 0;
    int tries = kTries;
    Index fewest = K + 1;
    for (;;) {
      solve_passive(b, y);
      if (++rounds % patience == 0) slack *= 10;
      tolerated_ = rounds < patience ? 0 : slack;
      Index infeasible = 0;
      Index last = -1;
      for (Index k = 0; k < K; ++k) {
        if (is_infeasible(k, b, y, slack)) {
          ++infeasible;
          last = k;
        }
      }
      if (infeasible == 0) break;
      if (infeasible < fewest) {
        fewest = infeasible;
        tries = kTries;
      } else if (tries > 0) {
        --tries;
      } else {
        state_[last] ^= 1;
        continue;
      }
      flip_all(b, y, slack);
    }
    y = y.cwiseMax(0);
  }

 private:
  // y[k] < 0 for a passive entry; gradient (G y - b)[k] < 0 for an active one.
  bool is_infeasible(Index k, const Eigen::Ref<const Eigen::VectorXd>& b, const Eigen::Ref<Eigen::VectorXd>& y,
                     double slack) const {
    if (state_[k] != 0) return y[k] < -tolerated_;
    double gradient = -b[k];
    for (const Index j : passive_) gradient += gram_(j, k) * y[j];
    return gradient < -slack;
  }

  void flip_all(const Eigen::Ref<const Eigen::VectorXd>& b, const Eigen::Ref<Eigen::VectorXd>& y, double slack) {
    for (Index k = 0; k < gram_.rows(); ++k) {
      if (is_infeasible(k, b, y, slack)) state_[k] ^= 1;
    }
  }

  void solve_passive(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> y) {
    passive_.clear();
    for (Index k = 0; k < gram_.rows(); ++k) {
      if (state_[k] != 0) passive_.push_back(k);
    }
    const auto size = static_cast<Index>(passive_.size());
    y.setZero();
    if (size == 0) return;
    auto sub = sub_.topLeftCorner(size, size);
    auto x = solution_.head(size);
    for (Index c = 0; c < size; ++c) {
      x[c] = b[passive_[c]];
      for (Index r = c; r < size; ++r) sub(r, c) = gram_(passive_[r], passive_[c]);
    }
    Eigen::Ref<Matrix> in_place(sub);
    const Eigen::LLT<Eigen::Ref<Matrix>> llt(in_place);
    llt.solveInPlace(x);
    for (Index c = 0; c < size; ++c) y[passive_[c]] = x[c];
  }

  const Matrix& gram_;
  Matrix sub_;
  Eigen::VectorXd solution_;
  std::vector<Index> passive_;
  std::vector<unsigned char> state_;
  double tolerated_ = 0;  // how far below zero a passive entry may be; it is set to zero in the end
};

}  // namespace

struct LeastSquares::Shared {
  Matrix unit;  // X with columns of length one: how long a column is must not decide how exactly it is fitted
  Eigen::VectorXd length;
  internal::GroupedColumns grouped;
  Matrix gram;
};

namespace {

Eigen::VectorXd lengths_of(const Matrix& X) {
  Eigen::VectorXd length(X.cols());
  for (Index k = 0; k < X.cols(); ++k) length[k] = X.col(k).stableNorm();
  return length;
}

Matrix unit_of(Matrix X, const Eigen::VectorXd& length) {
  for (Index k = 0; k < X.cols(); ++k) {
    if (length[k] > 0) X.col(k) /= length[k];
  }
  return X;
}

}  // namespace

LeastSquares::LeastSquares(const Matrix& X) {
  PPDNMF_CHECK(X.allFinite());
  fix_product_blocking();
  const Eigen::VectorXd length = lengths_of(X);
  Matrix unit = unit_of(X, length);
  internal::GroupedColumns grouped(unit);
  Matrix gram = unit.transpose() * unit;
  // Makes every passive block definite, so that the pivoting ends; far below the data's own precision.
  gram.diagonal().array() += 1e-12;
  shared_ = std::make_unique<const Shared>(Shared{std::move(unit), length, std::move(grouped), std::move(gram)});
}

LeastSquares::~LeastSquares() = default;

void LeastSquares::solve(const data::Block& block, Eigen::Ref<Matrix> Y) const {
  const Index K = shared_->gram.rows();
  PPDNMF_CHECK(block.rows == shared_->unit.rows() && Y.rows() == K && Y.cols() == block.count);
  Matrix XtZ(shared_->grouped.groups() * internal::kLanes, internal::round_up(block.count, internal::kTileColumns));
  internal::multiply_block(automatic_lanes(), shared_->grouped, block, XtZ);
  Pivoting pivoting(shared_->gram);
  for (Index m = 0; m < block.count; ++m) pivoting.solve(XtZ.col(m).head(K), Y.col(m));
  for (Index k = 0; k < K; ++k) {
    if (shared_->length[k] > 0) Y.row(k) /= shared_->length[k];
  }
}

Matrix nonnegative_least_squares(const Matrix& X, const data::Columns& columns, const Matrix& guess,
                                 Executor& executor) {
  PPDNMF_CHECK(X.rows() == columns.rows());
  Matrix Y = guess.size() != 0 ? guess : Matrix::Constant(X.cols(), columns.count(), 1);
  PPDNMF_CHECK(Y.rows() == X.cols() && Y.cols() == columns.count());
  const LeastSquares squares(X);
  const std::vector<data::Range> leaves = data::leaves(columns.rows(), columns.count());
  data::for_each_leaf(leaves, executor, [&](std::size_t /*leaf*/, const data::Range& leaf) {
    data::walk(columns, leaf, [&](const data::Block& block, const data::Range& range) {
      squares.solve(block, Y.middleCols(range.first, range.count));
    });
  });
  return Y;
}

Matrix nonnegative_least_squares(const Matrix& X, const Matrix& Z, const Matrix& guess) {
  PPDNMF_CHECK(X.rows() == Z.rows() && Z.allFinite());
  return nonnegative_least_squares(X, *data::view(Z), guess);
}

}  // namespace ppdnmf::nmf
