// A secret under a passphrase: scrypt (N = 2^16, r = 8, p = 1: 64 MiB and a fraction of a second) and AES-256-GCM.
#ifndef PPDNMF_IDENTITY_SEALING_H_
#define PPDNMF_IDENTITY_SEALING_H_

#include "base/bytes.h"
#include "base/result.h"
#include "crypto/secret.h"

namespace ppdnmf {

// What a person typed: 1 to 1024 bytes. Move-only, wiped, not printable.
struct Passphrase {
  SecretBytes bytes;
};

// 16 bytes of fresh salt, the secret encrypted, 16 bytes that authenticate both and `beside`, which stays readable.
[[nodiscard]] Bytes seal(const SecretBytes& secret, const Passphrase& passphrase, ByteSpan beside);
inline constexpr std::size_t kSealBytes = 32;  // so much longer than the secret

// Fails with kUsage if the passphrase is another one, or if anything was changed: these cannot be told apart. Fails
// with kInvalidData if it is too short to be sealed.
[[nodiscard]] Result<SecretBytes> unseal(ByteSpan sealed, const Passphrase& passphrase, ByteSpan beside);

}  // namespace ppdnmf

#endif  // PPDNMF_IDENTITY_SEALING_H_
