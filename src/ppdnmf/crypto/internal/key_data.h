// What stands behind the key handles.
#ifndef PPDNMF_CRYPTO_INTERNAL_KEY_DATA_H_
#define PPDNMF_CRYPTO_INTERNAL_KEY_DATA_H_

#include <memory>
#include <string_view>

#include <ppdnmf/crypto/internal/secret_modulus.h>
#include <ppdnmf/crypto/internal/square_ring.h>
#include <ppdnmf/crypto/key.h>

namespace ppdnmf::crypto::internal {

struct PublicKeyData {
  KeyOptions options;  // kernel resolved
  Integer n;
  Integer h;                               // fast profile only, else 0
  std::unique_ptr<const SquareRing> ring;  // modulo n^2
};

// One prime's share of the work modulo n^2. Words, because all of it is secret; p, q and p^2 have a public length.
struct PrimePart {
  SecretModulus prime;                     // p
  SecretModulus square;                    // p^2
  SecretWords other;                       // q mod p
  std::unique_ptr<const SquareRing> ring;  // modulo p^2
  // Raising to this power leaves 1 + p L: p - 1, or 2 P in the fast profile.
  SecretWords exponent;
  std::size_t exponent_bits = 0;  // public
  SecretWords factor;             // m = L factor mod p, factor = 1 / (exponent q) mod p
};

// p, q primes of the same length; in the fast profile also P, Q and h, else 0.
struct KeyParts {
  Integer p, q, subgroup_p, subgroup_q, h;
};

struct PrivateKeyData {
  PublicKey public_key;
  KeyParts parts;
  PrimePart p;
  PrimePart q;
  SecretWords q_inverse;         // 1/q mod p
  SecretWords q_square_inverse;  // 1/q^2 mod p^2
};

// The options with the kernel that will be used; fails as check and choose_kernel do.
[[nodiscard]] Result<KeyOptions> resolved(KeyOptions options);

// What a caller may have mixed up: fail with kUsage. `what` names both sides, "a query and an addend".
[[nodiscard]] Status check_same_key(const PublicKey& a, const PublicKey& b, std::string_view what);
// For groups of ciphertexts, which are in their kernel's own form: the same key on the same kernel.
[[nodiscard]] Status check_same_layout(const PublicKey& a, const PublicKey& b, std::string_view what);
[[nodiscard]] Status check_same_size(std::size_t a, std::size_t b, std::string_view what);

// Checks nothing.
[[nodiscard]] PublicKey make_public_key(const KeyOptions& options, const Integer& n, const Integer& h);
[[nodiscard]] PrivateKey make_private_key(const KeyOptions& options, const KeyParts& parts);

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_KEY_DATA_H_
