// One agent's Y step: equations (12) to (14) of the paper. Local; nothing here is ever sent.
//
// Not safe to share between threads. Columns are independent of each other.
#ifndef PPDNMF_NMF_ADMM_Y_STEP_H_
#define PPDNMF_NMF_ADMM_Y_STEP_H_

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

class AdmmYStep {
 public:
  // Starts from Y = V = R = 0, rank x columns.
  AdmmYStep(Index rank, Index columns);

  // `iterations` (>= 1, checked) times, warm-started:
  //   Y = max(V + R, 0)
  //   V = [X^T X + eta I]^-1 [X^T Z + eta (Y - R)]
  //   R = R - (Y - V)
  // eta > 0 (checked) may differ from the last one's: R, the scaled multiplier, is rescaled by old/new.
  void solve(const Matrix& X, const Matrix& Z, double eta, int iterations);

  [[nodiscard]] const Matrix& Y() const { return Y_; }
  // ||Z - X Y||^2 for the X and Z of the last `solve`. Costs a small part of it, except for a nearly exact fit, where
  // the cheap formula would lose its digits.
  [[nodiscard]] double squared_error(const Matrix& X, const Matrix& Z) const;
  [[nodiscard]] bool all_finite() const { return Y_.allFinite() && V_.allFinite(); }

  // Whether every number is one that `solve` can have led to; false after loading damaged bytes.
  [[nodiscard]] bool in_range() const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  Matrix Y_, V_, R_;
  Matrix XtZ_;
  double eta_ = 0;
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_ADMM_Y_STEP_H_
