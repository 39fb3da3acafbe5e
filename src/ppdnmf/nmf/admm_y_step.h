// One agent's Y step: equations (12) to (14) of the paper. Local; nothing here is ever sent.
//
// Not safe to share between threads. Columns are independent of each other; leaves of them (data/leaves.h) are worked
// on by all of the executor's threads.
#ifndef PPDNMF_NMF_ADMM_Y_STEP_H_
#define PPDNMF_NMF_ADMM_Y_STEP_H_

#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/moments.h>

namespace ppdnmf::nmf {

class Holder;

class AdmmYStep {
 public:
  // Starts from Y = V = R = 0, rank x columns. Z below are the columns divided by `scale`, a power of two. The executor
  // outlives it.
  AdmmYStep(Index rank, data::SharedColumns columns, double scale = 1, Executor& executor = serial_executor());
  // On the columns of a holder that has begun, with its rank, scale and executor.
  explicit AdmmYStep(const Holder& holder);

  // `iterations` (>= 1, checked) times, warm-started:
  //   Y = max(V + R, 0)
  //   V = [X^T X + eta I]^-1 [X^T Z + eta (Y - R)]
  //   R = R - (Y - V)
  // eta > 0 (checked) may differ from the last one's: R, the scaled multiplier, is rescaled by old/new.
  void solve(const Matrix& X, double eta, int iterations);

  [[nodiscard]] const Matrix& Y() const { return Y_; }                 // of Z
  [[nodiscard]] Matrix coordinates() const;                            // the same in units of the data
  [[nodiscard]] double squared_norm() const { return squared_norm_; }  // ||Z||^2
  // ||Z - X Y||^2 for the X of the last `solve`, which has computed it: at little cost, except for a nearly exact fit,
  // where the cheap formula would lose its digits.
  [[nodiscard]] double squared_error() const { return squared_error_; }
  // S and T of the present Y, and squared_error().
  [[nodiscard]] Moments moments() const;
  [[nodiscard]] bool all_finite() const { return Y_.allFinite() && V_.allFinite(); }

  // Whether every number is one that `solve` can have led to; false after loading damaged bytes.
  [[nodiscard]] bool in_range() const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Terms {  // of ||Z - X Y||^2
    double cross = 0;
    double model = 0;
  };
  [[nodiscard]] Terms solve_leaf(const Matrix& X, const Matrix& gram, const Matrix& inverse, int iterations,
                                 const data::Range& leaf);
  [[nodiscard]] double residual(const Matrix& X, const data::Range& leaf) const;

  data::SharedColumns columns_;
  double unscale_;  // 1 / scale
  Executor& executor_;
  std::vector<data::Range> leaves_;
  Matrix Y_, V_, R_;
  Matrix XtZ_;
  double eta_ = 0;
  double squared_norm_ = 0;
  double squared_error_ = 0;
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_ADMM_Y_STEP_H_
