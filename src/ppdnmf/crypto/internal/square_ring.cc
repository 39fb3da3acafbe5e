#include <ppdnmf/crypto/internal/square_ring.h>

#include <cstring>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/internal/gmp_ring.h>
#include <ppdnmf/crypto/internal/ifma_lanes.h>
#include <ppdnmf/crypto/internal/lane_ring.h>

namespace ppdnmf::crypto::internal {

std::unique_ptr<const SquareRing> SquareRing::create(const Integer& n, Kernel kernel) {
  if (kernel == Kernel::kIfma) {
    PPDNMF_CHECK(ifma_available());
    return create_from(n, *ifma_functions());
  }
  PPDNMF_CHECK(kernel == Kernel::kGmp);
  auto ring = std::make_unique<GmpRing>(n);
  ring->prepare(64 * ring->half_words());
  return ring;
}

std::unique_ptr<const SquareRing> SquareRing::create_from(const Integer& n, const ModularLanes& functions) {
  auto ring = std::make_unique<LaneRing>(n, functions);
  ring->prepare(kLaneDigitBits * ring->digits());
  return ring;
}

SquareRing::SquareRing(const Integer& n) : n_(n), modulus_(n * n), half_words_((n.bits() + 63) / 64) {
  PPDNMF_CHECK(n.odd() && n.bits() >= 64 && n.bits() <= kMaxRootBits);
}

void SquareRing::prepare(std::size_t montgomery_bits) {
  plain_one_ = broadcast(Integer(1));
  square_of_r_ = broadcast(mod(power_of_two(2 * montgomery_bits), modulus_));
  one_ = broadcast(mod(power_of_two(montgomery_bits), modulus_));
}

SecretWords SquareRing::broadcast(const Integer& value) const {
  SecretWords group = make_group();
  for (std::size_t lane = 0; lane < kLanes; ++lane) load_value(group.data(), lane, value);
  return group;
}

void SquareRing::load_value(std::uint64_t* group, std::size_t lane, const Integer& value) const {
  PPDNMF_CHECK(value < modulus_);
  Integer low;
  Integer high;
  mpz_fdiv_qr(high.raw(), low.raw(), value.raw(), n_.raw());
  SecretWords halves(2 * half_words_);
  low.to_words(halves.span().first(half_words_));
  high.to_words(halves.span().last(half_words_));
  load(group, lane, halves.data(), halves.data() + half_words_);
}

Integer SquareRing::store_value(const std::uint64_t* group, std::size_t lane) const {
  SecretWords halves(2 * half_words_);
  store(group, lane, halves.data(), halves.data() + half_words_);
  Integer value = Integer::from_words(halves.span().first(half_words_));
  const Integer high = Integer::from_words(halves.span().last(half_words_));
  mpz_addmul(value.raw(), high.raw(), n_.raw());
  return value;
}

void SquareRing::copy(std::uint64_t* out, const std::uint64_t* group) const {
  std::memcpy(out, group, words() * sizeof(std::uint64_t));
}

}  // namespace ppdnmf::crypto::internal
