// Identities that were renewed: the new one and the one before it in the same two files, the new one signed with the old
// one's key.
//
// A consortium file names certificates byte by byte. Where it names the one before, the organisation goes on with that
// one, until it ends; a new file is made with the new one, and the old one is good for nothing there. So a file without
// an identity is what revokes it, and nobody has to compare the new one's digits over the telephone: the signature says
// whose it is.
#ifndef PPDNMF_IDENTITY_RENEWAL_H_
#define PPDNMF_IDENTITY_RENEWAL_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/identity/public_identity.h>

namespace ppdnmf::identity {

// A .pub file.
struct ShownIdentity {
  PublicIdentity identity;
  std::optional<PublicIdentity> before;  // the one that it renews, whose key has signed it
};
// Fails with kInvalidData as PublicIdentity::parse does, and if the one before is another organisation's or has not
// signed.
[[nodiscard]] Result<ShownIdentity> parse_shown(std::string_view text);

// A .key file: one identity, or two. Move-only, as what it holds.
class KeyRing {
 public:
  explicit KeyRing(PrivateIdentity identity) : identity_(std::move(identity)) {}

  // Fails as PrivateIdentity::decode does; both are sealed with the same passphrase.
  [[nodiscard]] static Result<KeyRing> decode(ByteSpan bytes, const Passphrase* passphrase);
  [[nodiscard]] static bool is_sealed(ByteSpan bytes);
  // What its .pub file says, for which no passphrase is needed.
  [[nodiscard]] static Result<ShownIdentity> shown_in(ByteSpan bytes);

  // A new identity of the same name instead of this one, which becomes the one before; what was before it goes. Fails as
  // PrivateIdentity::generate does.
  [[nodiscard]] Result<KeyRing> renew(std::chrono::sys_seconds now) &&;

  // The .key file's bytes, for mode 0600; sealed unless `passphrase` is null. And the .pub file's text.
  [[nodiscard]] crypto::SecretBytes reveal_encoded(const Passphrase* passphrase) const;
  [[nodiscard]] std::string shown_text() const;

  [[nodiscard]] const PrivateIdentity& identity() const { return identity_; }
  [[nodiscard]] const std::optional<PrivateIdentity>& before() const { return before_; }
  // The one for which `named` is true, the new one first; if it is true for none, the new one.
  [[nodiscard]] PrivateIdentity choose(const std::function<bool(const PublicIdentity&)>& named) &&;

 private:
  PrivateIdentity identity_;
  std::optional<PrivateIdentity> before_;
  Bytes signature_;  // of the one before
};

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_RENEWAL_H_
