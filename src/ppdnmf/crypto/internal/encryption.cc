#include <ppdnmf/crypto/internal/encryption.h>

#include <algorithm>

namespace ppdnmf::crypto::internal {
namespace {

// Groups per task: they share the reading of the fixed-base tables.
constexpr std::size_t kTogether = FixedBase::kTogether;

// Eight teeth where a lookup costs a few register permutations, fewer where every lane scans the table in memory.
std::size_t teeth_for(Kernel kernel) { return kernel == Kernel::kIfma ? 8 : 7; }

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

// base^r for each r, group after group of `size` words.
SecretWords all_powers(const FixedBase& base, std::size_t size, const SecretWords& exponents, Executor& executor) {
  const std::size_t per_group = kLanes * base.exponent_words();
  const std::size_t groups = exponents.size() / per_group;
  SecretWords out(groups * size);
  executor.for_each((groups + kTogether - 1) / kTogether, [&](std::size_t task) {
    const std::size_t first = task * kTogether;
    const std::size_t here = std::min(kTogether, groups - first);
    base.power(out.data() + first * size, exponents.span().subspan(first * per_group, here * per_group));
  });
  return out;
}

// The plain pair (1, high): the number 1 + n high.
void load_one_plus(const SquareRing& ring, std::uint64_t* group, std::size_t lane,
                   std::span<const std::uint64_t> high) {
  SecretWords one(ring.half_words());
  one.data()[0] = 1;
  ring.load(group, lane, one.data(), high.data());
}

// low + high p of one lane.
SecretWords store_words(const PrimePart& part, const std::uint64_t* group, std::size_t lane) {
  const std::size_t half = part.ring->half_words();
  SecretWords low(half);
  SecretWords high(half);
  part.ring->store(group, lane, low.data(), high.data());
  SecretWords value(2 * half);
  secret_multiply(value.span(), high.span(), part.prime.words());
  static_cast<void>(secret_add(value.span(), low.span()));
  return value;
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

SecretWords PeerBase::powers(const SecretWords& exponents, Executor& executor) const {
  return all_powers(fixed_base_, key_.data().ring->words(), exponents, executor);
}

Bytes PeerBase::finish(const Recipe& recipe, std::size_t count, SecretWords powers, Executor& executor) const {
  const std::size_t size = key_.data().ring->words();
  Bytes out(count * key_.ciphertext_bytes());
  executor.for_each((count + kLanes - 1) / kLanes,
                    [&](std::size_t g) { finish_group(recipe, g, count, powers.data() + g * size, out); });
  return out;
}

// `result` holds the powers (h^n)^r of group g and gets the other factors; then its lanes are written out.
void PeerBase::finish_group(const Recipe& recipe, std::size_t g, std::size_t count, std::uint64_t* result,
                            Bytes& out) const {
  const SquareRing& ring = *key_.data().ring;
  const std::size_t each = key_.ciphertext_bytes();
  const std::uint64_t weight = recipe.weight != nullptr ? recipe.weight->value() : 1;
  const SecretExponent exponent{{&weight, 1}, recipe.weight != nullptr ? recipe.weight->bits() : 1};
  SecretWords other = ring.make_group();
  if (recipe.query != nullptr && recipe.weight != nullptr && !recipe.weight_comes_last) {
    power(ring, other.data(), recipe.query->group(g), exponent);
    ring.multiply(result, result, other.data());
  } else if (recipe.query != nullptr) {
    ring.multiply(result, result, recipe.query->group(g));
  }
  const SecretWords nothing(key_.plaintext_words());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t t = g * kLanes + lane;
    load_one_plus(ring, other.data(), lane,
                  recipe.addend != nullptr && t < count ? recipe.addend->residue(t) : nothing.span());
  }
  if (recipe.weight_comes_last) {
    ring.enter(other.data());
    ring.multiply(result, result, other.data());
    power(ring, result, result, exponent);
    ring.leave(result);
  } else {
    ring.multiply(result, result, other.data());  // the plain factor ends the Montgomery form
  }
  for (std::size_t lane = 0; lane < kLanes && g * kLanes + lane < count; ++lane) {
    ring.store_value(result, lane).to_bytes(std::span(out).subspan((g * kLanes + lane) * each, each));
  }
}

OwnBase::OwnBase(std::shared_ptr<const PrivateKeyData> key, const Integer& h)
    : key_(std::move(key)),
      fixed_p_(*key_->p.ring, power_of_n(*key_->p.ring, h, this->key().data().n), this->key().exponent_bits(),
               teeth_for(this->key().kernel())),
      fixed_q_(*key_->q.ring, power_of_n(*key_->q.ring, h, this->key().data().n), this->key().exponent_bits(),
               teeth_for(this->key().kernel())) {}

// The ciphertext that is a modulo p^2 and b modulo q^2: b + q^2 ((a - b) / q^2 mod p^2).
Integer OwnBase::join(ConstWords a, ConstWords b) const {
  const SecretModulus& square = key_->p.square;
  SecretWords quotient(square.size());
  square.reduce(quotient.span(), b);
  square.subtract(quotient.span(), a, quotient.span());
  square.multiply(quotient.span(), quotient.span(), key_->q_square_inverse.span());
  SecretWords c(2 * square.size());
  secret_multiply(c.span(), quotient.span(), key_->q.square.words());
  static_cast<void>(secret_add(c.span(), b));
  return Integer::from_words(c.span());
}

// `result` holds the powers (h^n)^r of group g modulo p^2 and gets the factors 1 + n m = 1 + p (q m mod p).
void OwnBase::add_plaintexts(const PrimePart& part, const Plaintexts& plaintexts, std::size_t g,
                             std::uint64_t* result) const {
  const SquareRing& ring = *part.ring;
  SecretWords factor = ring.make_group();
  SecretWords high(ring.half_words());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (g * kLanes + lane < plaintexts.size()) {
      part.prime.reduce(high.span(), plaintexts.residue(g * kLanes + lane));
      part.prime.multiply(high.span(), high.span(), part.other.span());
    }
    load_one_plus(ring, factor.data(), lane, high.span());
  }
  ring.multiply(result, result, factor.data());
}

SecretWords OwnBase::powers(const SecretWords& exponents, Executor& executor) const {
  const std::size_t size = key_->p.ring->words();  // and q's: they have the same length
  const SecretWords modulo_p = all_powers(fixed_p_, size, exponents, executor);
  const SecretWords modulo_q = all_powers(fixed_q_, size, exponents, executor);
  SecretWords both(modulo_p.size() + modulo_q.size());
  std::copy_n(modulo_p.data(), modulo_p.size(), both.data());
  std::copy_n(modulo_q.data(), modulo_q.size(), both.data() + modulo_p.size());
  return both;
}

Bytes OwnBase::finish(const Plaintexts& plaintexts, SecretWords powers, Executor& executor) const {
  const std::size_t count = plaintexts.size();
  const std::size_t each = key().ciphertext_bytes();
  const std::size_t size = key_->p.ring->words();
  Bytes out(count * each);
  executor.for_each((count + kLanes - 1) / kLanes, [&](std::size_t g) {
    std::uint64_t* modulo_p = powers.data() + g * size;
    std::uint64_t* modulo_q = modulo_p + powers.size() / 2;
    add_plaintexts(key_->p, plaintexts, g, modulo_p);
    add_plaintexts(key_->q, plaintexts, g, modulo_q);
    for (std::size_t lane = 0; lane < kLanes && g * kLanes + lane < count; ++lane) {
      const SecretWords a = store_words(key_->p, modulo_p, lane);
      const SecretWords b = store_words(key_->q, modulo_q, lane);
      join(a.span(), b.span()).to_bytes(std::span(out).subspan((g * kLanes + lane) * each, each));
    }
  });
  return out;
}

}  // namespace ppdnmf::crypto::internal
