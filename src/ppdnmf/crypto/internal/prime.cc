#include <ppdnmf/crypto/internal/prime.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace ppdnmf::crypto::internal {
namespace {

constexpr std::uint32_t kSieveLimit = 1U << 16;
constexpr std::uint32_t kLargestRefusedOrder = 4096;
constexpr std::size_t kWindow = 8192;  // candidates sieved at once; a prime of 2048 bits is one in 700 odd numbers

const std::vector<std::uint32_t>& small_odd_primes() {
  static const std::vector<std::uint32_t> primes = odd_primes_below(kSieveLimit);
  return primes;
}

std::uint64_t inverse_mod_small(std::uint64_t a, std::uint64_t s) {  // s prime: a^(s - 2)
  std::uint64_t result = 1;
  for (std::uint64_t e = s - 2; e > 0; e >>= 1, a = a * a % s) {
    if ((e & 1) != 0) result = result * a % s;
  }
  return result;
}

// The first prime among start, start + step, ... of the sieved window that has `bits` bits. How far the sieve goes
// decides on its time alone: short candidates are tested sooner than they are sieved by long primes.
std::optional<Integer> first_prime(const Integer& start, const Integer& step, std::size_t bits) {
  constexpr std::size_t kSievedPerBit = 16;
  std::vector<bool> composite(kWindow, false);
  for (const std::uint32_t s : small_odd_primes()) {
    if (s > kSievedPerBit * bits) break;
    const std::uint64_t step_mod = mpz_fdiv_ui(step.raw(), s);
    if (step_mod == 0) continue;  // all candidates are alike modulo s; start was made so that they are not 0
    const std::uint64_t start_mod = mpz_fdiv_ui(start.raw(), s);
    for (std::uint64_t i = (s - start_mod) % s * inverse_mod_small(step_mod, s) % s; i < kWindow; i += s) {
      composite[i] = true;
    }
  }
  for (std::size_t i = 0; i < kWindow; ++i) {
    if (composite[i]) continue;
    Integer candidate = start;
    mpz_addmul_ui(candidate.raw(), step.raw(), i);
    if (candidate.bits() != bits) return std::nullopt;
    if (is_prime(candidate)) return candidate;
  }
  return std::nullopt;
}

Integer random_with_two_top_bits(std::size_t bits, Stream& stream) {
  Integer value = Integer::random_bits(bits, stream);
  mpz_setbit(value.raw(), bits - 1);
  mpz_setbit(value.raw(), bits - 2);
  return value;
}

}  // namespace

bool is_prime(const Integer& candidate) {
  constexpr int kRounds = 24 + 16;  // GMP counts its Baillie-PSW test as 24
  return mpz_probab_prime_p(candidate.raw(), kRounds) != 0;
}

Integer random_prime(std::size_t bits, Stream& stream) {
  PPDNMF_CHECK(bits >= 64);
  for (;;) {
    Integer start = random_with_two_top_bits(bits, stream);
    mpz_setbit(start.raw(), 0);
    mpz_setbit(start.raw(), 1);
    if (auto prime = first_prime(start, Integer(4), bits)) return *std::move(prime);
  }
}

Integer random_prime_above(const Integer& divisor, std::size_t bits, Stream& stream) {
  PPDNMF_CHECK(divisor.odd() && divisor.bits() + 32 < bits);
  const Integer twice = divisor + divisor;
  for (;;) {
    Integer cofactor = random_with_two_top_bits(bits, stream) / twice;
    mpz_setbit(cofactor.raw(), 0);
    if (auto prime = first_prime(twice * cofactor + Integer(1), twice + twice, bits)) {
      if (mpz_tstbit(prime->raw(), bits - 2) != 0) return *std::move(prime);
    }
  }
}

Status check_modulus(const Integer& n, std::size_t bits, FactorSearch search) {
  if (n.bits() != bits) {
    return error(ErrorCode::kPeer, "a public key's modulus has {} bits, {} were agreed", n.bits(), bits);
  }
  if (!n.odd()) return error(ErrorCode::kPeer, "a public key's modulus is even");
  if (mpz_perfect_power_p(n.raw()) != 0) return error(ErrorCode::kPeer, "a public key's modulus is a perfect power");
  if (is_prime(n)) return error(ErrorCode::kPeer, "a public key's modulus is prime");
  if (has_small_factor(n, search)) {
    return error(ErrorCode::kPeer, "a public key's modulus has a factor below {}", static_cast<std::uint32_t>(search));
  }
  return {};
}

Status check_generator(const Integer& h, const Integer& n) {
  const Integer one(1);
  if (!(one < h && h < n) || !(gcd(h, n) == one)) return error(ErrorCode::kPeer, "a public key's h is not a unit");
  if (mpz_jacobi(h.raw(), n.raw()) != 1) return error(ErrorCode::kPeer, "a public key's h has the wrong Jacobi symbol");
  static const Integer orders = common_multiple_up_to(kLargestRefusedOrder);
  Integer power;
  mpz_powm(power.raw(), h.raw(), (n * orders).raw(), n.raw());
  // A good h has order 2 P modulo p, and P divides neither n nor any of these orders: the power is 1 modulo no factor.
  if (!(gcd(mod(power - one, n), n) == one)) return error(ErrorCode::kPeer, "a public key's h has a small order");
  return {};
}

}  // namespace ppdnmf::crypto::internal
