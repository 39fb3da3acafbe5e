#include <ppdnmf/privacy/discrete_gaussian.h>

#include <bit>
#include <optional>

#include <ppdnmf/base/int128.h>

namespace ppdnmf::privacy {
namespace {

// Proposals of so many steps and more are rejected, so that every product below fits into 128 bits.
constexpr std::uint64_t kMaxSteps = 64;
constexpr UInt128 kLargest = UInt128{1} << 56;

// floor(sqrt(n)).
std::uint64_t integer_root(std::uint64_t n) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    const std::uint64_t next = root | bit;
    if (UInt128{next} * next <= n) root = next;
  }
  return root;
}

// Uniform in [0, bound): as many bits as the bound has, until they are below it.
UInt128 uniform_below(Stream& stream, UInt128 bound) {
  if (bound <= UINT64_MAX) return stream.below(static_cast<std::uint64_t>(bound));
  const int bits = std::bit_width(static_cast<std::uint64_t>(bound >> 64));
  for (;;) {
    const UInt128 high = stream.next() >> (64 - bits);
    const UInt128 value = (high << 64) | stream.next();
    if (value < bound) return value;
  }
}

// True with probability exp(-numerator / denominator), 0 <= numerator <= denominator: the number of successes before
// the first failure of trials with probabilities gamma / 1, gamma / 2, ... is even.
bool bernoulli_exp_part(Stream& stream, UInt128 numerator, UInt128 denominator) {
  for (std::uint64_t k = 1;; ++k) {
    const bool success = (k == 1 || stream.below(k) == 0) &&
                         (numerator == denominator || uniform_below(stream, denominator) < numerator);
    if (!success) return k % 2 == 1;
  }
}

// True with probability exp(-numerator / denominator).
bool bernoulli_exp(Stream& stream, UInt128 numerator, UInt128 denominator) {
  for (UInt128 whole = numerator / denominator; whole > 0; --whole) {
    if (!bernoulli_exp_part(stream, 1, 1)) return false;
  }
  return bernoulli_exp_part(stream, numerator % denominator, denominator);
}

struct Proposal {
  std::uint64_t size;
  bool negative;
};

// One try at a discrete Laplace number of scale `step`: P(x) proportional to exp(-|x| / step). Nothing if it is
// rejected.
std::optional<Proposal> propose(Stream& stream, std::uint64_t step) {
  const std::uint64_t rest = stream.below(step);
  if (!bernoulli_exp_part(stream, rest, step)) return std::nullopt;
  std::uint64_t steps = 0;
  while (bernoulli_exp_part(stream, 1, 1)) ++steps;
  if (steps >= kMaxSteps) return std::nullopt;
  const std::uint64_t size = rest + step * steps;
  const bool negative = stream.below(2) == 1;
  if (negative && size == 0) return std::nullopt;
  return Proposal{size, negative};
}

}  // namespace

Result<DiscreteGaussian> DiscreteGaussian::create(const Fraction& variance) {
  if (variance.numerator == 0 || variance.denominator == 0) {
    return error(ErrorCode::kUsage, "the variance of noise must be positive, not {}/{}", variance.numerator,
                 variance.denominator);
  }
  const std::uint64_t step = integer_root(variance.numerator / variance.denominator) + 1;
  if (UInt128{step} * step > kLargest / variance.denominator) {
    return error(ErrorCode::kUsage, "a variance of {}/{} is larger than the sampler takes: choose a coarser unit",
                 variance.numerator, variance.denominator);
  }
  return DiscreteGaussian(variance, step);
}

std::int64_t DiscreteGaussian::sample(Stream& stream) const {
  const UInt128 p = variance_.numerator;
  const UInt128 q = variance_.denominator;
  const UInt128 t = step_;
  for (;;) {
    const std::optional<Proposal> proposal = propose(stream, step_);
    if (!proposal) continue;
    // Kept with probability exp(-(|x| - sigma²/t)² / (2 sigma²)), in whole numbers (|x| q t - p)² / (2 p q t²).
    const UInt128 scaled = proposal->size * q * t;
    const UInt128 distance = scaled > p ? scaled - p : p - scaled;
    if (!bernoulli_exp(stream, distance * distance, 2 * p * q * t * t)) continue;
    const auto size = static_cast<std::int64_t>(proposal->size);
    return proposal->negative ? -size : size;
  }
}

}  // namespace ppdnmf::privacy
