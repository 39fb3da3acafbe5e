#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/internal/decryption.h>
#include <ppdnmf/crypto/internal/power.h>
#include <ppdnmf/crypto/paillier.h>

namespace ppdnmf::crypto {
namespace {

using internal::Decryption;
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

// 0 exactly if `words` is the number 1.
std::uint64_t difference_from_one(std::span<const std::uint64_t> words) {
  std::uint64_t difference = words[0] ^ 1;
  for (const std::uint64_t word : words.subspan(1)) difference |= word;
  return difference;
}

// m mod p for eight ciphertexts: c^e = 1 + p L modulo p^2, and m = L / (e q) modulo p. What the power has in the place
// of the 1 is noted in `foreign`.
Eight decrypt_modulo(const PrimePart& part, Eight& c, Words foreign) {
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
    foreign[lane] |= difference_from_one(low.span());
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

Decryption internal::decrypt_unseen(const PrivateKeyData& key, const Ciphertexts& ciphertexts, Executor& executor) {
  const SquareRing& ring = *ciphertexts.key().data().ring;
  Plaintexts out(ciphertexts.key(), ciphertexts.size());
  SecretWords foreign(ciphertexts.groups() * kLanes);
  executor.for_each(ciphertexts.groups(), [&](std::size_t g) {
    SecretWords group = ring.make_group();
    ring.copy(group.data(), ciphertexts.group(g));
    ring.leave(group.data());
    Eight c(2 * ring.half_words());
    for (std::size_t lane = 0; lane < kLanes; ++lane) ring.store_value(group.data(), lane).to_words(c[lane]);
    const Words strange = foreign.span().subspan(g * kLanes, kLanes);
    Eight modulo_p = decrypt_modulo(key.p, c, strange);
    Eight modulo_q = decrypt_modulo(key.q, c, strange);
    for (std::size_t lane = 0; lane < kLanes && g * kLanes + lane < out.size(); ++lane) {
      join(key, modulo_p[lane], modulo_q[lane], out.residue(g * kLanes + lane));
    }
  });
  return {.plaintexts = std::move(out), .foreign = std::move(foreign)};
}

Result<Plaintexts> decrypt(const PrivateKey& key, const Ciphertexts& ciphertexts, Executor& executor) {
  PPDNMF_TRY_STATUS(internal::check_same_key(key.public_key(), ciphertexts.key(), "a private key and the ciphertexts"));
  Decryption decryption = internal::decrypt_unseen(*key.data(), ciphertexts, executor);
  for (std::size_t t = 0; t < ciphertexts.size(); ++t) {
    if (decryption.foreign.data()[t] != 0) {
      return error(ErrorCode::kPeer,
                   "ciphertext {} was not made with the h of this key of the fast profile and has no decryption", t);
    }
  }
  return std::move(decryption.plaintexts);
}

}  // namespace ppdnmf::crypto
