// A secret under a passphrase: scrypt (N = 2^16, r = 8, p = 1: 64 MiB and a fraction of a second) and AES-256-GCM.
#ifndef PPDNMF_IDENTITY_SEALING_H_
#define PPDNMF_IDENTITY_SEALING_H_

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::identity {

// What a person typed: 1 to 1024 bytes. Move-only, wiped, not printable.
struct Passphrase {
  crypto::SecretBytes bytes;
};

// 16 bytes of fresh salt, the secret encrypted, 16 bytes that authenticate both and `beside`, which stays readable.
[[nodiscard]] Bytes seal(const crypto::SecretBytes& secret, const Passphrase& passphrase, ByteSpan beside);
inline constexpr std::size_t kSealBytes = 32;  // so much longer than the secret

// Fails with kUsage if the passphrase is another one, or if anything was changed: these cannot be told apart. Fails
// with kInvalidData if it is too short to be sealed.
[[nodiscard]] Result<crypto::SecretBytes> unseal(ByteSpan sealed, const Passphrase& passphrase, ByteSpan beside);

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_SEALING_H_
