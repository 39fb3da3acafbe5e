// Rounds in a span that is known already: X from noisy totals Uᵀ Z Yᵀ and Y Yᵀ, rank x rank numbers each.
//
// The X of nmf/second_moments.h is where the rounds begin. Each X is the minimiser over X >= 0 for moving averages, as
// in nmf/noisy_descent.h, with U (Uᵀ Z Yᵀ) in place of Z Yᵀ: what the columns have outside of the span is left out, and
// so is most of the noise. What the opening predicts, Uᵀ Z Yᵀ = Uᵀ X T and Y Yᵀ = T for its X and T, stays beside what
// the rounds say: the more, the less of their difference exceeds the noise. Rounds that are nothing but noise leave X
// as it was.
#ifndef PPDNMF_NMF_SPAN_DESCENT_H_
#define PPDNMF_NMF_SPAN_DESCENT_H_

#include <ppdnmf/nmf/noisy_descent.h>
#include <ppdnmf/nmf/second_moments.h>

namespace ppdnmf::nmf {

struct SpanDescentOptions {
  int rounds = 6;      // totals to absorb
  double noise_S = 0;  // standard deviation of the noise in an entry of Uᵀ Z Yᵀ, and of Y Yᵀ
  double noise_T = 0;
};

class SpanDescent {
 public:
  SpanDescent(const SpanDescentOptions& options, const SpanAndFactor& begin);

  // What to ask with (Holder::bounded_answer_in); when done, X is the result. Columns of length one or zero.
  [[nodiscard]] const Matrix& X() const { return descent_.X(); }
  [[nodiscard]] const Matrix& U() const { return U_; }
  // S = Uᵀ Z Yᵀ, rank x rank, its rows those of Uᵀ; T = Y Yᵀ. Fails with kNumeric if a number is not finite. Not when
  // done (checked).
  [[nodiscard]] Status absorb(const Matrix& S, const Matrix& T);
  // No more totals follow.
  void finish() { descent_.finish(); }
  [[nodiscard]] bool done() const { return descent_.done(); }
  [[nodiscard]] int rounds() const { return descent_.rounds(); }

  // The state, with all that it began with; `load` goes into one made with the same rounds and matrices of the same
  // sizes.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // Whether every number is one that totals can have led to; false after loading damaged bytes.
  [[nodiscard]] bool in_range() const;

 private:
  SpanDescentOptions options_;
  Matrix U_;
  Matrix S_, T_;      // what the opening predicts for the first round,
  double worth_ = 0;  // and how many rounds it is worth
  NoisyDescent descent_;
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_SPAN_DESCENT_H_
