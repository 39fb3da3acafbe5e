#include "crypto/internal/encryption.h"

namespace ppdnmf::internal {
namespace {

// Eight teeth where a lookup costs a few register permutations, fewer where every lane scans the table in memory.
std::size_t teeth_for(Kernel kernel) { return kernel == Kernel::kIfma ? 8 : 6; }

// h^n mod m for a public n, by the ring's own powers; lane 0 of eight equal lanes.
Integer power_of_n(const SquareRing& ring, const Integer& h, const Integer& n) {
  SecretWords group = ring.make_group();
  for (std::size_t lane = 0; lane < kLanes; ++lane) ring.load_value(group.data(), lane, mod(h, ring.modulus()));
  ring.enter(group.data());
  SecretWords exponent((n.bits() + 63) / 64);
  n.to_words(exponent.span());
  power(ring, group.data(), group.data(), {exponent.span(), n.bits()});
  ring.leave(group.data());
  return ring.store_value(group.data(), 0);
}

// The plain pair (1, high): the number 1 + n high.
void load_one_plus(const SquareRing& ring, std::uint64_t* group, std::size_t lane,
                   std::span<const std::uint64_t> high) {
  SecretWords one(ring.half_words());
  one.data()[0] = 1;
  ring.load(group, lane, one.data(), high.data());
}

}  // namespace

Integer choose_base(const PublicKey& key, Stream& stream) {
  const PublicKeyData& data = key.data();
  if (data.options.profile == KeyProfile::kFast) return data.h;
  for (;;) {
    const Integer x = Integer::random_below(data.n, stream);
    if (gcd(x, data.n) == Integer(1)) return data.n - mod(x * x, data.n);
  }
}

SecretWords draw_exponents(const PublicKey& key, std::size_t count, Stream& stream) {
  const std::size_t bits = key.exponent_bits();
  const std::size_t words = (bits + 63) / 64;
  SecretWords out((count + kLanes - 1) / kLanes * kLanes * words);
  stream.fill({reinterpret_cast<std::uint8_t*>(out.data()), count * words * sizeof(std::uint64_t)});
  if (bits % 64 != 0) {
    for (std::size_t t = 0; t < count; ++t) out.data()[t * words + words - 1] &= (std::uint64_t{1} << (bits % 64)) - 1;
  }
  return out;
}

PeerBase::PeerBase(const PublicKey& key, const Integer& h)
    : key_(key),
      fixed_base_(*key.data().ring, power_of_n(*key.data().ring, h, key.data().n), key.exponent_bits(),
                  teeth_for(key.kernel())) {}

Bytes PeerBase::make(const Recipe& recipe, std::size_t count, const SecretWords& exponents, Executor& executor) const {
  const SquareRing& ring = *key_.data().ring;
  const std::size_t each = key_.ciphertext_bytes();
  const std::size_t per_group = kLanes * fixed_base_.exponent_words();
  Bytes out(count * each);
  const SecretWords no_addend(key_.plaintext_words());
  executor.for_each((count + kLanes - 1) / kLanes, [&](std::size_t g) {
    SecretWords result = ring.make_group();
    SecretWords other = ring.make_group();
    fixed_base_.power(result.data(), exponents.span().subspan(g * per_group, per_group));
    const std::uint64_t weight = recipe.weight != nullptr ? recipe.weight->value() : 1;
    const SecretExponent exponent{{&weight, 1}, recipe.weight != nullptr ? recipe.weight->bits() : 1};
    if (recipe.query != nullptr && recipe.weight != nullptr && !recipe.weight_comes_last) {
      power(ring, other.data(), recipe.query->group(g), exponent);
      ring.multiply(result.data(), result.data(), other.data());
    } else if (recipe.query != nullptr) {
      ring.multiply(result.data(), result.data(), recipe.query->group(g));
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t t = g * kLanes + lane;
      load_one_plus(ring, other.data(), lane,
                    recipe.addend != nullptr && t < count ? recipe.addend->residue(t) : no_addend.span());
    }
    if (recipe.weight_comes_last) {
      ring.enter(other.data());
      ring.multiply(result.data(), result.data(), other.data());
      power(ring, result.data(), result.data(), exponent);
      ring.leave(result.data());
    } else {
      ring.multiply(result.data(), result.data(), other.data());  // the plain factor ends the Montgomery form
    }
    for (std::size_t lane = 0; lane < kLanes && g * kLanes + lane < count; ++lane) {
      ring.store_value(result.data(), lane).to_bytes(std::span(out).subspan((g * kLanes + lane) * each, each));
    }
  });
  return out;
}

OwnBase::OwnBase(std::shared_ptr<const PrivateKeyData> key, const Integer& h)
    : key_(std::move(key)),
      fixed_p_(*key_->p.ring, power_of_n(*key_->p.ring, h, this->key().data().n), this->key().exponent_bits(),
               teeth_for(this->key().kernel())),
      fixed_q_(*key_->q.ring, power_of_n(*key_->q.ring, h, this->key().data().n), this->key().exponent_bits(),
               teeth_for(this->key().kernel())) {}

void OwnBase::encrypt_group(const PrimePart& part, const FixedBase& fixed_base, const Plaintexts& plaintexts,
                            std::size_t first, std::span<const std::uint64_t> exponents, std::uint64_t* out) const {
  const SquareRing& ring = *part.ring;
  fixed_base.power(out, exponents);
  // 1 + n m = 1 + p (q m mod p) modulo p^2.
  SecretWords factor = ring.make_group();
  SecretWords high(ring.half_words());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    Integer product;
    if (first + lane < plaintexts.size()) {
      product = mod(Integer::from_words(plaintexts.residue(first + lane)), part.prime);
      product = mod(product * part.other, part.prime);
    }
    product.to_words(high.span());
    load_one_plus(ring, factor.data(), lane, high.span());
  }
  ring.multiply(out, out, factor.data());
}

Bytes OwnBase::encrypt(const Plaintexts& plaintexts, const SecretWords& exponents, Executor& executor) const {
  PPDNMF_CHECK(plaintexts.key().same_as(key()));
  const std::size_t count = plaintexts.size();
  const std::size_t each = key().ciphertext_bytes();
  const std::size_t per_group = kLanes * fixed_p_.exponent_words();
  Bytes out(count * each);
  executor.for_each((count + kLanes - 1) / kLanes, [&](std::size_t g) {
    const auto r = exponents.span().subspan(g * per_group, per_group);
    SecretWords modulo_p = key_->p.ring->make_group();
    SecretWords modulo_q = key_->q.ring->make_group();
    encrypt_group(key_->p, fixed_p_, plaintexts, g * kLanes, r, modulo_p.data());
    encrypt_group(key_->q, fixed_q_, plaintexts, g * kLanes, r, modulo_q.data());
    for (std::size_t lane = 0; lane < kLanes && g * kLanes + lane < count; ++lane) {
      // Garner: the number below p^2 q^2 with these residues.
      const Integer a = key_->p.ring->store_value(modulo_p.data(), lane);
      const Integer b = key_->q.ring->store_value(modulo_q.data(), lane);
      const Integer c = b + key_->q.square * mod((a - b) * key_->q_square_inverse, key_->p.square);
      c.to_bytes(std::span(out).subspan((g * kLanes + lane) * each, each));
    }
  });
  return out;
}

}  // namespace ppdnmf::internal
