#include <ppdnmf/identity/private_identity.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/identity/entropy.h>
#include <ppdnmf/identity/internal/certificate.h>
#include <ppdnmf/identity/internal/layout.h>

namespace ppdnmf::identity {
namespace {

using internal::kTlsSecretBytes;

constexpr std::string_view kLabel = "ppdnmf private identity 1\n";
constexpr std::size_t kX25519Bytes = 32;
enum Form : std::uint8_t { kOpen = 0, kSealed = 1 };

// A .key file is the label, the public identity, the form, and the two secret numbers as they are or sealed.
struct Parts {
  Bytes shown;
  Form form = kOpen;
  ByteSpan before_secrets;
  ByteSpan secrets;
};

Result<Parts> split(ByteSpan bytes) {
  const auto damaged = [] {
    return error(ErrorCode::kInvalidData,
                 "is not a private identity or is damaged: it should be the .key file of "
                 "'ppdnmf identity new'");
  };
  if (bytes.size() > kMaxIdentityBytes || bytes.size() < kLabel.size() ||
      !std::equal(kLabel.begin(), kLabel.end(), bytes.begin())) {
    return damaged();
  }
  ByteReader in(bytes.subspan(kLabel.size()));
  Parts out;
  out.shown = in.get_bytes();
  const auto form = in.get<std::uint8_t>();
  const std::size_t expected = kTlsSecretBytes + kX25519Bytes + (form == kSealed ? kSealBytes : 0);
  if (form > kSealed || in.left() != expected) return damaged();
  out.form = static_cast<Form>(form);
  out.before_secrets = bytes.first(bytes.size() - expected);
  out.secrets = bytes.last(expected);
  return out;
}

crypto::SecretBytes copy_of(ByteSpan bytes) {
  crypto::SecretBytes out(bytes.size());
  std::copy(bytes.begin(), bytes.end(), out.data());
  return out;
}

Result<crypto::SecretBytes> open_secrets(const Parts& parts, const Passphrase* passphrase) {
  if (parts.form == kOpen) return copy_of(parts.secrets);
  if (passphrase == nullptr) return error(ErrorCode::kUsage, "is sealed with a passphrase, and none was given");
  return unseal(parts.secrets, *passphrase, parts.before_secrets);
}

}  // namespace

struct PrivateIdentity::TlsKey {
  internal::Owned<EVP_PKEY> key;
};

PrivateIdentity::PrivateIdentity(PublicIdentity shown, std::unique_ptr<TlsKey> tls_key, crypto::IdentityKey x25519)
    : public_(std::move(shown)), tls_key_(std::move(tls_key)), x25519_(std::move(x25519)) {}
PrivateIdentity::PrivateIdentity(PrivateIdentity&&) noexcept = default;
PrivateIdentity& PrivateIdentity::operator=(PrivateIdentity&&) noexcept = default;
PrivateIdentity::~PrivateIdentity() = default;

Result<PrivateIdentity> PrivateIdentity::generate(std::string_view name, std::chrono::sys_seconds now) {
  const crypto::SecretBytes secret = draw_entropy(kX25519Bytes);
  return generate(
      name, crypto::IdentityKey::from_secret_bytes(std::span<const std::uint8_t, kX25519Bytes>(secret.span())), now);
}

Result<PrivateIdentity> PrivateIdentity::generate(std::string_view name, crypto::IdentityKey x25519,
                                                  std::chrono::sys_seconds now) {
  PPDNMF_TRY_STATUS(check_name(name));
  const auto from = std::chrono::floor<std::chrono::days>(now) - std::chrono::days(1);
  if (from < internal::kFirstDay || from >= internal::kLastDay) {
    return error(ErrorCode::kUsage, "this machine's clock cannot be right: set it, since an identity carries its date");
  }
  auto key = internal::generate_tls_key();
  const Bytes certificate = internal::make_certificate(key.get(), from);
  const Bytes text = internal::signed_bytes(name, certificate, x25519.public_bytes());
  ByteWriter out;
  out.put_array(text.data(), text.size());
  out.put_bytes(internal::sign(key.get(), text));
  PPDNMF_TRY(PublicIdentity shown, PublicIdentity::decode(out.take()));
  return PrivateIdentity(std::move(shown), std::make_unique<TlsKey>(TlsKey{std::move(key)}), std::move(x25519));
}

Result<PublicIdentity> PrivateIdentity::shown_in(ByteSpan bytes) {
  PPDNMF_TRY(const Parts parts, split(bytes));
  return PublicIdentity::decode(parts.shown);
}

bool PrivateIdentity::is_sealed(ByteSpan bytes) {
  const auto parts = split(bytes);
  return parts && parts->form == kSealed;
}

Result<PrivateIdentity> PrivateIdentity::decode(ByteSpan bytes, const Passphrase* passphrase) {
  PPDNMF_TRY(const Parts parts, split(bytes));
  PPDNMF_TRY(PublicIdentity shown, PublicIdentity::decode(parts.shown));
  PPDNMF_TRY(const crypto::SecretBytes secrets, open_secrets(parts, passphrase));
  PPDNMF_TRY(const auto content, internal::parse_certificate(shown.certificate()));
  const auto both = ByteSpan(secrets.span());
  auto key = internal::private_tls_key(copy_of(both.first(kTlsSecretBytes)), content.key);
  auto x25519 = crypto::IdentityKey::from_secret_bytes(both.subspan<kTlsSecretBytes, kX25519Bytes>());
  if (key == nullptr || x25519.public_bytes() != shown.x25519())
    return error(ErrorCode::kInvalidData, "is damaged: its private keys are not those of its public identity");
  return PrivateIdentity(std::move(shown), std::make_unique<TlsKey>(TlsKey{std::move(key)}), std::move(x25519));
}

crypto::SecretBytes PrivateIdentity::reveal_encoded(const Passphrase* passphrase) const {
  ByteWriter start;
  start.put_array(kLabel.data(), kLabel.size());
  start.put_bytes(public_.encode());
  start.put<std::uint8_t>(passphrase != nullptr ? kSealed : kOpen);
  const Bytes before = start.take();
  crypto::SecretBytes secrets(kTlsSecretBytes + kX25519Bytes);
  const crypto::SecretBytes tls = internal::secret_of(tls_key_->key.get());
  std::copy(tls.span().begin(), tls.span().end(), secrets.data());
  const auto x25519 = x25519_.reveal_secret_bytes();
  std::copy(x25519.begin(), x25519.end(), secrets.data() + kTlsSecretBytes);
  if (passphrase != nullptr) secrets = copy_of(seal(secrets, *passphrase, before));
  crypto::SecretBytes out(before.size() + secrets.size());
  std::copy(before.begin(), before.end(), out.data());
  std::copy(secrets.span().begin(), secrets.span().end(), out.data() + before.size());
  return out;
}

Bytes PrivateIdentity::sign(ByteSpan text) const { return internal::sign(tls_key_->key.get(), text); }

crypto::SecretBytes PrivateIdentity::reveal_tls_key_pem() const {
  return internal::private_key_pem(tls_key_->key.get());
}

}  // namespace ppdnmf::identity
