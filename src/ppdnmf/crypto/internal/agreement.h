// X25519 and HKDF, for everything that two agents agree on.
#ifndef PPDNMF_CRYPTO_INTERNAL_AGREEMENT_H_
#define PPDNMF_CRYPTO_INTERNAL_AGREEMENT_H_

#include <array>
#include <cstdint>
#include <span>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::crypto::internal {

using PublicPoint = std::array<std::uint8_t, 32>;

// The public key of an X25519 secret of 32 bytes.
[[nodiscard]] PublicPoint x25519_public(std::span<const std::uint8_t> secret);
// The shared secret of `secret`, whose public key is `own`, with `theirs`. Fails with kPeer if `theirs` is a point of
// small order, which would give zeros.
[[nodiscard]] Result<SecretBytes> x25519(std::span<const std::uint8_t> secret, const PublicPoint& own,
                                         const PublicPoint& theirs);

// HKDF-SHA256 (RFC 5869) of `secret` into 32 bytes.
[[nodiscard]] SecretBytes hkdf(std::span<const std::uint8_t> secret, ByteSpan salt, ByteSpan info);
// Its second half alone, for a `key` of 32 bytes that is uniform already (RFC 5869, section 3.3).
[[nodiscard]] SecretBytes hkdf_expand(std::span<const std::uint8_t> key, ByteSpan info);

}  // namespace ppdnmf::crypto::internal

#endif  // PPDNMF_CRYPTO_INTERNAL_AGREEMENT_H_
