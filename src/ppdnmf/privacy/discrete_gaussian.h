// Noise that is exactly what the account (privacy/account.h) says it is: discrete Gaussian numbers, drawn with integer
// arithmetic alone, by the rejection of Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy"
// (2020). No floating-point number enters, so nothing leaks through its rounding.
#ifndef PPDNMF_PRIVACY_DISCRETE_GAUSSIAN_H_
#define PPDNMF_PRIVACY_DISCRETE_GAUSSIAN_H_

#include <cstdint>

#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::privacy {

// numerator / denominator, exactly.
struct Fraction {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;
};

// P(x) = exp(-x² / (2 sigma²)) / sum over all integers. Immutable; safe to share between threads.
class DiscreteGaussian {
 public:
  // sigma² as a fraction. Fails with kUsage unless it is positive and denominator * (floor(sigma) + 1)² <= 2^56: sigma
  // up to 2^28 in whole numbers, or up to 2^20 in parts of 2^16.
  [[nodiscard]] static Result<DiscreteGaussian> create(const Fraction& variance);

  // Takes what it needs from the stream: the same stream gives the same numbers. How long it takes depends on the
  // number. Draws beyond 64 sigma are rejected; their probability is below exp(-1900).
  [[nodiscard]] std::int64_t sample(Stream& stream) const;

 private:
  DiscreteGaussian(const Fraction& variance, std::uint64_t step) : variance_(variance), step_(step) {}

  Fraction variance_;
  std::uint64_t step_;  // floor(sigma) + 1: the scale of the discrete Laplace numbers that are proposed
};

}  // namespace ppdnmf::privacy

#endif  // PPDNMF_PRIVACY_DISCRETE_GAUSSIAN_H_
