// The one form of certificate this program makes and accepts.
//
// X.509 version 3, self-signed with ECDSA and SHA-256, a P-256 key, CA:FALSE (critical), SAN DNS:ppdnmf and no other
// extension. Serial number and common name are parts of SHA-256 of the key, so that a stranger who is shown them learns
// no name. Valid for kValidDays from midnight (UTC) of a day. Everything but the signature follows from the key and
// that day, and a reader compares it byte by byte: with a CA certificate one member could issue another's.
#ifndef PPDNMF_IDENTITY_INTERNAL_CERTIFICATE_H_
#define PPDNMF_IDENTITY_INTERNAL_CERTIFICATE_H_

#include <chrono>
#include <string>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/internal/tls_key.h>

namespace ppdnmf::identity::internal {

// Two years and a month: a key that was copied and forgotten stops by itself, and a study need not renew in its midst.
inline constexpr int kValidDays = 760;
inline constexpr int kValidDaysBefore = 3652;  // of identities that earlier versions made; still read
inline constexpr std::chrono::sys_days kFirstDay{std::chrono::year{2020} / 1 / 1};
inline constexpr std::chrono::sys_days kLastDay{std::chrono::year{2200} / 1 / 1};
inline constexpr std::size_t kMaxCertificateBytes = 1024;

// As DER. kFirstDay <= from < kLastDay (checked).
[[nodiscard]] Bytes make_certificate(EVP_PKEY* key, std::chrono::sys_days from);

struct CertificateContent {
  TlsPoint key{};
  std::chrono::sys_days from;
  int valid_days = kValidDays;
};
// Fails with kInvalidData unless make_certificate, or that of an earlier version, could have written these bytes.
[[nodiscard]] Result<CertificateContent> parse_certificate(ByteSpan der);

// Certificates and private keys as TLS libraries take them.
[[nodiscard]] std::string certificate_pem(ByteSpan der);
[[nodiscard]] crypto::SecretBytes private_key_pem(EVP_PKEY* key);

}  // namespace ppdnmf::identity::internal

#endif  // PPDNMF_IDENTITY_INTERNAL_CERTIFICATE_H_
