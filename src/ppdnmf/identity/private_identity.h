// What an organisation keeps to itself: the private keys behind its public identity.
#ifndef PPDNMF_IDENTITY_PRIVATE_IDENTITY_H_
#define PPDNMF_IDENTITY_PRIVATE_IDENTITY_H_

#include <chrono>
#include <memory>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/mask.h>
#include <ppdnmf/identity/public_identity.h>
#include <ppdnmf/identity/sealing.h>

namespace ppdnmf::identity {

// Move-only, wiped, not printable. Safe to read from several threads.
class PrivateIdentity {
 public:
  // Keys from the operating system's entropy; a certificate that is valid from the day before `now`. Fails with kUsage
  // on a bad name or a clock that cannot be right (before 2020 or after 2199).
  [[nodiscard]] static Result<PrivateIdentity> generate(std::string_view name, std::chrono::sys_seconds now);
  // The same around an X25519 key that is there already: throw-away runs take it from their seed.
  [[nodiscard]] static Result<PrivateIdentity> generate(std::string_view name, crypto::IdentityKey x25519,
                                                        std::chrono::sys_seconds now);

  // A .key file's bytes. Fails with kInvalidData if they are damaged (the private keys are held against the public
  // ones), with kUsage if they need a passphrase and `passphrase` is null or another one.
  [[nodiscard]] static Result<PrivateIdentity> decode(ByteSpan bytes, const Passphrase* passphrase);
  // The public part of a .key file, for which no passphrase is needed. Fails with kInvalidData; does not look at the
  // private keys.
  [[nodiscard]] static Result<PublicIdentity> shown_in(ByteSpan bytes);
  // Whether decode() would ask for a passphrase.
  [[nodiscard]] static bool is_sealed(ByteSpan bytes);
  // For a file with mode 0600; grep for this name to audit. Sealed unless `passphrase` is null.
  [[nodiscard]] crypto::SecretBytes reveal_encoded(const Passphrase* passphrase) const;

  [[nodiscard]] const PublicIdentity& public_identity() const { return public_; }
  [[nodiscard]] const crypto::IdentityKey& x25519() const { return x25519_; }
  // A signature with the certificate's key (PublicIdentity::verify). Each kind of text begins with a label of its own.
  [[nodiscard]] Bytes sign(ByteSpan text) const;
  // PKCS #8, as TLS libraries take it; grep for this name to audit.
  [[nodiscard]] crypto::SecretBytes reveal_tls_key_pem() const;

  PrivateIdentity(PrivateIdentity&&) noexcept;
  PrivateIdentity& operator=(PrivateIdentity&&) noexcept;
  PrivateIdentity(const PrivateIdentity&) = delete;
  PrivateIdentity& operator=(const PrivateIdentity&) = delete;
  ~PrivateIdentity();

 private:
  struct TlsKey;
  PrivateIdentity(PublicIdentity shown, std::unique_ptr<TlsKey> tls_key, crypto::IdentityKey x25519);

  PublicIdentity public_;
  std::unique_ptr<TlsKey> tls_key_;
  crypto::IdentityKey x25519_;
};

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_PRIVATE_IDENTITY_H_
