#include "base/result.h"
#include "crypto/internal/key_data.h"
#include "crypto/internal/power.h"
#include "crypto/paillier.h"

namespace ppdnmf {
namespace {

using internal::Integer;
using internal::kLanes;
using internal::PrimePart;
using internal::SquareRing;

// m mod p for eight ciphertexts: c^e = 1 + p L modulo p^2, and m = L / (e q) modulo p.
void decrypt_modulo(const PrimePart& part, const std::vector<Integer>& c, std::vector<Integer>& m) {
  const SquareRing& ring = *part.ring;
  SecretWords group = ring.make_group();
  for (std::size_t lane = 0; lane < kLanes; ++lane) ring.load_value(group.data(), lane, mod(c[lane], part.square));
  ring.enter(group.data());
  internal::power(ring, group.data(), group.data(), {part.exponent.span(), part.exponent_bits});
  ring.leave(group.data());
  SecretWords low(ring.half_words());
  SecretWords high(ring.half_words());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    ring.store(group.data(), lane, low.data(), high.data());
    m[lane] = mod(Integer::from_words(high.span()) * part.factor, part.prime);
  }
}

}  // namespace

Plaintexts decrypt(const PrivateKey& key, const Ciphertexts& ciphertexts, Executor& executor) {
  PPDNMF_CHECK(ciphertexts.key().same_as(key.public_key()));
  const internal::PrivateKeyData& data = *key.data();
  const SquareRing& ring = *ciphertexts.key().data().ring;
  Plaintexts out(ciphertexts.key(), ciphertexts.size());
  executor.for_each(ciphertexts.groups(), [&](std::size_t g) {
    SecretWords group = ring.make_group();
    ring.copy(group.data(), ciphertexts.group(g));
    ring.leave(group.data());
    std::vector<Integer> c(kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) c[lane] = ring.store_value(group.data(), lane);
    std::vector<Integer> modulo_p(kLanes);
    std::vector<Integer> modulo_q(kLanes);
    decrypt_modulo(data.p, c, modulo_p);
    decrypt_modulo(data.q, c, modulo_q);
    for (std::size_t lane = 0; lane < kLanes && g * kLanes + lane < out.size(); ++lane) {
      const Integer m =
          modulo_q[lane] + data.q.prime * mod((modulo_p[lane] - modulo_q[lane]) * data.q_inverse, data.p.prime);
      m.to_words(out.residue(g * kLanes + lane));
    }
  });
  return out;
}

}  // namespace ppdnmf
