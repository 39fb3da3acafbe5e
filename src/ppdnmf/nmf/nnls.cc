#include <ppdnmf/nmf/nnls.h>

#include <Eigen/Cholesky>
#include <vector>

#include <ppdnmf/base/result.h>
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

Matrix nonnegative_least_squares(const Matrix& X, const Matrix& Z, const Matrix& guess) {
  PPDNMF_CHECK(X.rows() == Z.rows() && X.allFinite() && Z.allFinite());
  fix_product_blocking();
  const Index K = X.cols();
  Matrix Y = guess.size() != 0 ? guess : Matrix::Constant(K, Z.cols(), 1);
  PPDNMF_CHECK(Y.rows() == K && Y.cols() == Z.cols());
  // Columns of length one: how long a column is must not decide how exactly it is fitted.
  Matrix unit = X;
  Eigen::VectorXd length(K);
  for (Index k = 0; k < K; ++k) {
    length[k] = X.col(k).stableNorm();
    if (length[k] > 0) unit.col(k) /= length[k];
  }
  Matrix gram = unit.transpose() * unit;
  // Makes every passive block definite, so that the pivoting ends; far below the data's own precision.
  gram.diagonal().array() += 1e-12;
  const Matrix XtZ = unit.transpose() * Z;
  Pivoting pivoting(gram);
  for (Index column = 0; column < Z.cols(); ++column) pivoting.solve(XtZ.col(column), Y.col(column));
  for (Index k = 0; k < K; ++k) {
    if (length[k] > 0) Y.row(k) /= length[k];
  }
  return Y;
}

}  // namespace ppdnmf::nmf
