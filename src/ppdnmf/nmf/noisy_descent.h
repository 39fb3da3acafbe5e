// The X side of the factorisation from totals that carry noise: no error to steer by, nothing that depends on the data
// but the totals themselves (docs/privacy.md). Whoever knows the same totals computes the same X, to the bit.
//
// Each X is the minimiser over X >= 0 for moving averages of S and T, so that a round's noise is spread over
// several; small eigenvalues of T are raised to the noise's level, and entries that the noise alone explains are pulled
// to zero. What is asked with lies ahead, in the direction of the last step, as far as the noise lets the direction be
// seen, and less and less towards the end. Columns of X have length one. In the end X is the mean of the minimisers
// over the last third of the rounds.
#ifndef PPDNMF_NMF_NOISY_DESCENT_H_
#define PPDNMF_NMF_NOISY_DESCENT_H_

#include <cstdint>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

struct NoisyDescentOptions {
  int rounds = 60;     // totals to absorb
  double noise_S = 0;  // standard deviation of the noise in an entry of S, and of T
  double noise_T = 0;
  // S = U (Uᵀ Z Yᵀ) for a basis U: X0 is good already, and the noise no longer the same in all entries. Nothing is
  // pulled to zero, and nothing asked ahead.
  bool in_span = false;
};

class NoisyDescent {
 public:
  NoisyDescent(const NoisyDescentOptions& options, const Matrix& X0);

  // Columns of length one, or zero where X0's is. What to ask with; when done, the result.
  [[nodiscard]] const Matrix& X() const { return X_; }
  // Fails with kNumeric if a number is not finite. Not when done (checked).
  [[nodiscard]] Status absorb(const Matrix& S, const Matrix& T);
  // No more totals follow.
  void finish();
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] int rounds() const { return rounds_; }

  // The state; `load` goes into one made with the same arguments.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // Whether every number is one that totals can have led to; false after loading damaged bytes.
  [[nodiscard]] bool in_range() const;

 private:
  [[nodiscard]] double look_ahead() const;

  NoisyDescentOptions options_;
  Matrix X_;           // to ask with
  Matrix best_;        // the last minimiser
  Matrix S_, T_;       // moving averages
  Matrix sum_;         // of the X that the result is the mean of
  double spread_ = 1;  // variance of the noise in the averages, as part of that in one round
  std::int32_t rounds_ = 0;
  bool done_ = false;
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_NOISY_DESCENT_H_
