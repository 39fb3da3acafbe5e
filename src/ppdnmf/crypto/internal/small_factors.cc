#include <ppdnmf/crypto/internal/small_factors.h>

namespace ppdnmf::crypto::internal {
namespace {

// Long enough that the division of a block by n is GMP's work and not the calls', short enough to stay in the cache.
constexpr std::size_t kBlockBits = 4096;

// The product of all odd primes below the limit, in blocks: multiplied together they would take longer to make than
// all the gcds of a run.
std::vector<Integer> make_blocks(FactorSearch search) {
  std::vector<Integer> out{Integer(1)};
  for (const std::uint32_t s : odd_primes_below(static_cast<std::uint32_t>(search))) {
    if (out.back().bits() >= kBlockBits) out.emplace_back(1);
    mpz_mul_ui(out.back().raw(), out.back().raw(), s);
  }
  return out;
}

const std::vector<Integer>& blocks_of_primes(FactorSearch search) {
  if (search == FactorSearch::kQuick) {
    static const std::vector<Integer> quick = make_blocks(FactorSearch::kQuick);
    return quick;
  }
  static const std::vector<Integer> full = make_blocks(FactorSearch::kFull);
  return full;
}

}  // namespace

std::vector<std::uint32_t> odd_primes_below(std::uint32_t limit) {
  std::vector<bool> composite(limit / 2, false);  // entry i stands for 2 i + 1
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 1; i < limit / 2; ++i) {
    if (composite[i]) continue;
    const std::uint32_t s = 2 * i + 1;
    out.push_back(s);
    for (std::uint64_t j = std::uint64_t{s} * s / 2; j < limit / 2; j += s) composite[j] = true;
  }
  return out;
}

bool has_small_factor(const Integer& n, FactorSearch search) {
  Integer product(1);
  for (const Integer& block : blocks_of_primes(search)) {
    mpz_mul(product.raw(), product.raw(), block.raw());
    mpz_mod(product.raw(), product.raw(), n.raw());
  }
  return !(gcd(product, n) == Integer(1));
}

Integer common_multiple_up_to(std::uint32_t limit) {
  Integer out(1);
  for (std::uint32_t k = 2; k <= limit; ++k) mpz_lcm_ui(out.raw(), out.raw(), k);
  return out;
}

}  // namespace ppdnmf::crypto::internal
