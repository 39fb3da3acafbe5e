// P-256 keys through OpenSSL's EVP.
#ifndef PPDNMF_IDENTITY_INTERNAL_TLS_KEY_H_
#define PPDNMF_IDENTITY_INTERNAL_TLS_KEY_H_

#include <array>
#include <cstdint>
#include <optional>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/crypto/secret.h>
#include <ppdnmf/identity/internal/openssl.h>

namespace ppdnmf::identity::internal {

using TlsPoint = std::array<std::uint8_t, 65>;  // 4, x, y
inline constexpr std::size_t kTlsSecretBytes = 32;

[[nodiscard]] Owned<EVP_PKEY> generate_tls_key();
// Null unless the bytes are a point of the curve.
[[nodiscard]] Owned<EVP_PKEY> public_tls_key(const TlsPoint& point);
// Null unless the secret number is that of the point.
[[nodiscard]] Owned<EVP_PKEY> private_tls_key(const crypto::SecretBytes& secret, const TlsPoint& point);
// Nothing unless the key is one of P-256, named and not compressed.
[[nodiscard]] std::optional<TlsPoint> point_of(const EVP_PKEY* key);
// 32 bytes, the largest first.
[[nodiscard]] crypto::SecretBytes secret_of(const EVP_PKEY* key);

// ECDSA with SHA-256, as DER of at most 72 bytes.
[[nodiscard]] Bytes sign(EVP_PKEY* key, ByteSpan text);
[[nodiscard]] bool verify(EVP_PKEY* key, ByteSpan text, ByteSpan signature);

}  // namespace ppdnmf::identity::internal

#endif  // PPDNMF_IDENTITY_INTERNAL_TLS_KEY_H_
