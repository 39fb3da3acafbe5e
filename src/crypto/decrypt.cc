#include "base/result.h"
#include "crypto/internal/key_data.h"
#include "crypto/internal/power.h"
#include "crypto/paillier.h"

namespace ppdnmf {
namespace {

using internal::kLanes;
using internal::PrimePart;
using internal::PrivateKeyData;
using internal::SquareRing;
using internal::Words;

// Eight numbers of `size` words each.
class Eight {
 public:
  explicit Eight(std::size_t size) : size_(size), words_(kLanes * size) {}
  [[nodiscard]] Words operator[](std::size_t lane) { return words_.span().subspan(lane * size_, size_); }

 private:
  std::size_t size_;
  SecretWords words_;
};

// m mod p for eight ciphertexts: c^e = 1 + p L modulo p^2, and m = L / (e q) modulo p.
Eight decrypt_modulo(const PrimePart& part, Eight& c) {
  const SquareRing& ring = *part.ring;
  const std::size_t half = ring.half_words();
  SecretWords group = ring.make_group();
  SecretWords residue(2 * half);
  SecretWords low(half);
  SecretWords high(half);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    part.square.reduce(residue.span(), c[lane]);
    part.prime.divide(high.span(), low.span(), residue.span());
    ring.load(group.data(), lane, low.data(), high.data());
  }
  ring.enter(group.data());
  internal::power(ring, group.data(), group.data(), {part.exponent.span(), part.exponent_bits});
  ring.leave(group.data());
  Eight m(half);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    ring.store(group.data(), lane, low.data(), high.data());
    part.prime.multiply(m[lane], high.span(), part.factor.span());
  }
  return m;
}

// The number below p q that is a modulo p and b modulo q: b + q ((a - b) / q mod p).
void join(const PrivateKeyData& key, Words a, Words b, Words out) {
  SecretWords quotient(a.size());
  key.p.prime.reduce(quotient.span(), b);
  key.p.prime.subtract(quotient.span(), a, quotient.span());
  key.p.prime.multiply(quotient.span(), quotient.span(), key.q_inverse.span());
  internal::secret_multiply(out, quotient.span(), key.q.prime.words());
  static_cast<void>(internal::secret_add(out, b));
}

}  // namespace

Plaintexts decrypt(const PrivateKey& key, const Ciphertexts& ciphertexts, Executor& executor) {
  PPDNMF_CHECK(ciphertexts.key().same_as(key.public_key()));
  const PrivateKeyData& data = *key.data();
  const SquareRing& ring = *ciphertexts.key().data().ring;
  Plaintexts out(ciphertexts.key(), ciphertexts.size());
  executor.for_each(ciphertexts.groups(), [&](std::size_t g) {
    SecretWords group = ring.make_group();
    ring.copy(group.data(), ciphertexts.group(g));
    ring.leave(group.data());
    Eight c(2 * ring.half_words());
    for (std::size_t lane = 0; lane < kLanes; ++lane) ring.store_value(group.data(), lane).to_words(c[lane]);
    Eight modulo_p = decrypt_modulo(data.p, c);
    Eight modulo_q = decrypt_modulo(data.q, c);
    for (std::size_t lane = 0; lane < kLanes && g * kLanes + lane < out.size(); ++lane) {
      join(data, modulo_p[lane], modulo_q[lane], out.residue(g * kLanes + lane));
    }
  });
  return out;
}

}  // namespace ppdnmf
