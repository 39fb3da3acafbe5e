#include <ppdnmf/identity/renewal.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/identity/internal/certificate.h>

namespace ppdnmf::identity {
namespace {

constexpr std::string_view kRenewalLabel = "ppdnmf renewal 1";
constexpr std::string_view kRenewedKeyLabel = "ppdnmf private identity renewed 1\n";
constexpr std::string_view kBeginRenewal = "-----BEGIN PPDNMF RENEWAL-----";
constexpr std::string_view kEndRenewal = "-----END PPDNMF RENEWAL-----";

// What the one before signs.
Bytes renewal_text(const PublicIdentity& before, const PublicIdentity& after) {
  ByteWriter out;
  out.put_string(kRenewalLabel);
  out.put_array(before.fingerprint().data(), before.fingerprint().size());
  out.put_array(after.fingerprint().data(), after.fingerprint().size());
  return out.take();
}

Status check_renewal(const PublicIdentity& before, const PublicIdentity& after, ByteSpan signature) {
  const auto refused = [](const char* why) {
    return error(ErrorCode::kInvalidData, "is not a renewal ({}): ask its owner for the file that 'ppdnmf identity renew' "
                                          "wrote", why);
  };
  if (before.name() != after.name()) return refused("the two identities have different names");
  if (before == after) return refused("it renews itself");
  PPDNMF_TRY(const auto content, internal::parse_certificate(before.certificate()));
  const auto key = internal::public_tls_key(content.key);
  if (!internal::verify(key.get(), renewal_text(before, after), signature)) {
    return refused("the identity before did not sign it");
  }
  return {};
}

std::string block_of(const PublicIdentity& before, ByteSpan signature) {
  constexpr std::size_t kLine = 64;
  ByteWriter out;
  out.put_string(kRenewalLabel);
  out.put_bytes(before.encode());
  out.put_bytes(signature);
  const std::string letters = base64(out.take());
  std::string text = fmt::format("{}\n", kBeginRenewal);
  for (std::size_t i = 0; i < letters.size(); i += kLine) text += letters.substr(i, kLine) + "\n";
  return text + fmt::format("{}\n", kEndRenewal);
}

Result<std::pair<PublicIdentity, Bytes>> read_block(std::string_view inner) {
  const auto damaged = [](std::string_view why) {
    return error(ErrorCode::kInvalidData, "its renewal is damaged ({})", why);
  };
  const auto bytes = parse_base64(inner);
  if (!bytes) return damaged(bytes.error().message);
  ByteReader in(*bytes);
  if (in.get_string() != kRenewalLabel) return damaged("another kind or version");
  const Bytes before = in.get_bytes();
  Bytes signature = in.get_bytes();
  if (const Status status = in.status(); !status) return damaged(status.error().message);
  PPDNMF_TRY(PublicIdentity identity, PublicIdentity::decode(before));
  return std::pair(std::move(identity), std::move(signature));
}

// The parts of a .key file with two identities: the files of either, and the signature.
struct KeyParts {
  ByteSpan identity, before, signature;
};
std::optional<KeyParts> split_key(ByteSpan bytes) {
  if (bytes.size() < kRenewedKeyLabel.size() || !std::equal(kRenewedKeyLabel.begin(), kRenewedKeyLabel.end(), bytes.begin())) {
    return std::nullopt;
  }
  ByteReader in(bytes.subspan(kRenewedKeyLabel.size()));
  KeyParts parts;
  parts.identity = in.view_bytes();
  parts.before = in.view_bytes();
  parts.signature = in.view_bytes();
  return in.status() ? std::optional(parts) : std::nullopt;
}

}  // namespace

Result<ShownIdentity> parse_shown(std::string_view text) {
  const std::size_t begin = text.find(kBeginRenewal);
  PPDNMF_TRY(PublicIdentity identity, PublicIdentity::parse(text.substr(0, begin)));
  if (begin == std::string_view::npos) return ShownIdentity{std::move(identity), std::nullopt};
  const std::size_t inner = begin + kBeginRenewal.size();
  const std::size_t end = text.find(kEndRenewal, inner);
  if (text.size() > 2 * kMaxIdentityBytes || end == std::string_view::npos ||
      text.find_first_not_of(" \t\r\n", end + kEndRenewal.size()) != std::string_view::npos) {
    return error(ErrorCode::kInvalidData, "its renewal is damaged (it does not end with {})", kEndRenewal);
  }
  PPDNMF_TRY(auto block, read_block(text.substr(inner, end - inner)));
  PPDNMF_TRY_STATUS(check_renewal(block.first, identity, block.second));
  return ShownIdentity{std::move(identity), std::move(block.first)};
}

Result<KeyRing> KeyRing::decode(ByteSpan bytes, const Passphrase* passphrase) {
  const auto parts = split_key(bytes);
  PPDNMF_TRY(PrivateIdentity identity, PrivateIdentity::decode(parts ? parts->identity : bytes, passphrase));
  KeyRing ring(std::move(identity));
  if (!parts) return ring;
  PPDNMF_TRY(ring.before_, PrivateIdentity::decode(parts->before, passphrase));
  ring.signature_.assign(parts->signature.begin(), parts->signature.end());
  PPDNMF_TRY_STATUS(check_renewal(ring.before_->public_identity(), ring.identity_.public_identity(), ring.signature_));
  return ring;
}

bool KeyRing::is_sealed(ByteSpan bytes) {
  const auto parts = split_key(bytes);
  return PrivateIdentity::is_sealed(parts ? parts->identity : bytes);
}

Result<ShownIdentity> KeyRing::shown_in(ByteSpan bytes) {
  const auto parts = split_key(bytes);
  PPDNMF_TRY(PublicIdentity identity, PrivateIdentity::shown_in(parts ? parts->identity : bytes));
  ShownIdentity out{std::move(identity), std::nullopt};
  if (!parts) return out;
  PPDNMF_TRY(out.before, PrivateIdentity::shown_in(parts->before));
  PPDNMF_TRY_STATUS(check_renewal(*out.before, out.identity, parts->signature));
  return out;
}

Result<KeyRing> KeyRing::renew(std::chrono::sys_seconds now) && {
  PPDNMF_TRY(PrivateIdentity identity, PrivateIdentity::generate(identity_.public_identity().name(), now));
  KeyRing out(std::move(identity));
  out.signature_ = identity_.sign(renewal_text(identity_.public_identity(), out.identity_.public_identity()));
  out.before_ = std::move(identity_);
  return out;
}

crypto::SecretBytes KeyRing::reveal_encoded(const Passphrase* passphrase) const {
  if (!before_) return identity_.reveal_encoded(passphrase);
  const crypto::SecretBytes identity = identity_.reveal_encoded(passphrase), before = before_->reveal_encoded(passphrase);
  ByteWriter out;
  out.put_array(kRenewedKeyLabel.data(), kRenewedKeyLabel.size());
  out.put_bytes(identity.span());
  out.put_bytes(before.span());
  out.put_bytes(signature_);
  Bytes bytes = out.take();
  crypto::SecretBytes secret(bytes.size());
  std::copy(bytes.begin(), bytes.end(), secret.data());
  overwrite(bytes.data(), bytes.size());
  return secret;
}

std::string KeyRing::shown_text() const {
  std::string text = identity_.public_identity().text();
  if (before_) text += block_of(before_->public_identity(), signature_);
  return text;
}

PrivateIdentity KeyRing::choose(const std::function<bool(const PublicIdentity&)>& named) && {
  const bool old = before_ && !named(identity_.public_identity()) && named(before_->public_identity());
  return old ? *std::move(before_) : std::move(identity_);
}

}  // namespace ppdnmf::identity
