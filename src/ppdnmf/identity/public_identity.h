// What an organisation hands around: its name, its certificate for TLS and its X25519 key for masks, signed together
// with the certificate's key. Holds nothing secret. Immutable; safe to share between threads.
#ifndef PPDNMF_IDENTITY_PUBLIC_IDENTITY_H_
#define PPDNMF_IDENTITY_PUBLIC_IDENTITY_H_

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/mask.h>

namespace ppdnmf::identity {

inline constexpr std::size_t kMaxNameBytes = 64;
// Longer than any identity, encoded or as text.
inline constexpr std::size_t kMaxIdentityBytes = 4096;

// 1 to 64 letters, digits, '.', '_' and '-', the first one a letter or digit: it becomes a file's name. Fails with
// kUsage.
[[nodiscard]] Status check_name(std::string_view name);

class PublicIdentity {
 public:
  // Fails with kInvalidData unless every byte is as PrivateIdentity wrote it: lengths, name, the certificate's form,
  // both signatures. Says nothing about the time; ask valid_from and valid_until.
  [[nodiscard]] static Result<PublicIdentity> decode(ByteSpan bytes);
  // The same from the text of a .pub file. Blanks and line ends may differ.
  [[nodiscard]] static Result<PublicIdentity> parse(std::string_view text);

  [[nodiscard]] const Bytes& encode() const { return encoded_; }
  [[nodiscard]] std::string text() const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Bytes& certificate() const { return certificate_; }  // DER: a peer is who sends these bytes
  [[nodiscard]] std::string certificate_pem() const;
  [[nodiscard]] const crypto::IdentityBytes& x25519() const { return x25519_; }
  // SHA-256 of the certificate's P-256 point: whether two identities share a TLS key.
  [[nodiscard]] const Digest& tls_key_digest() const { return tls_key_digest_; }
  [[nodiscard]] std::chrono::sys_seconds valid_from() const { return valid_from_; }
  [[nodiscard]] std::chrono::sys_seconds valid_until() const { return valid_until_; }
  // Whether the private identity behind this one has signed these bytes (PrivateIdentity::sign).
  [[nodiscard]] bool verify(ByteSpan text, ByteSpan signature) const;
  // SHA-256 of all that is signed. Two identities are the same if their fingerprints are.
  [[nodiscard]] const Digest& fingerprint() const { return fingerprint_; }
  friend bool operator==(const PublicIdentity& a, const PublicIdentity& b) { return a.fingerprint_ == b.fingerprint_; }

 private:
  PublicIdentity() = default;
  std::string name_;
  Bytes certificate_;
  crypto::IdentityBytes x25519_{};
  Digest tls_key_digest_{};
  std::shared_ptr<void> tls_key_;  // OpenSSL's form of it, which takes longer to make than to use
  std::chrono::sys_seconds valid_from_, valid_until_;
  Digest fingerprint_{};
  Bytes encoded_;
};

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_PUBLIC_IDENTITY_H_
