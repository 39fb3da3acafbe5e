#include <ppdnmf/identity/public_identity.h>

#include <algorithm>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/identity/internal/certificate.h>
#include <ppdnmf/identity/internal/layout.h>

namespace ppdnmf::identity {
namespace {

constexpr std::string_view kBegin = "-----BEGIN PPDNMF PUBLIC IDENTITY-----";
constexpr std::string_view kEnd = "-----END PPDNMF PUBLIC IDENTITY-----";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kMaxSignatureBytes = 72;

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

std::string_view without_blanks_around(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

tl::unexpected<Error> not_an_identity(std::string_view why) {
  return error(ErrorCode::kInvalidData,
               "is not a public identity ({}): it should be the .pub file of 'ppdnmf identity new'", why);
}

}  // namespace

Status check_name(std::string_view name) {
  const bool right = !name.empty() && name.size() <= kMaxNameBytes && is_letter_or_digit(name[0]) &&
                     std::all_of(name.begin(), name.end(),
                                 [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-'; });
  if (right) return {};
  return error(ErrorCode::kUsage,
               "a name has 1 to {} letters, digits, '.', '_' and '-', the first one a letter or digit, as hospital-a",
               kMaxNameBytes);
}

Result<PublicIdentity> PublicIdentity::decode(ByteSpan bytes) {
  if (bytes.size() > kMaxIdentityBytes) return not_an_identity("it is too long");
  ByteReader in(bytes);
  PublicIdentity out;
  if (in.get_string() != internal::kPublicLabel) return not_an_identity("another kind or version");
  out.name_ = in.get_string();
  out.certificate_ = in.get_bytes();
  in.get_array(out.x25519_.data(), out.x25519_.size());
  const Bytes signature = in.get_bytes();
  if (const Status status = in.status(); !status) return not_an_identity(status.error().message);
  if (!check_name(out.name_)) return not_an_identity("its name has letters that names may not have");
  PPDNMF_TRY(const internal::CertificateContent content, internal::parse_certificate(out.certificate_));
  const Bytes text = internal::signed_bytes(out.name_, out.certificate_, out.x25519_);
  auto key = internal::public_tls_key(content.key);
  if (signature.size() > kMaxSignatureBytes || !internal::verify(key.get(), text, signature))
    return not_an_identity("its signature does not fit; it was changed on its way");
  out.tls_key_digest_ = sha256(content.key);
  out.tls_key_ = std::shared_ptr<EVP_PKEY>(std::move(key));
  out.valid_from_ = content.from;
  out.valid_until_ = content.from + std::chrono::days(content.valid_days);
  out.fingerprint_ = sha256(text);
  out.encoded_.assign(bytes.begin(), bytes.end());
  return out;
}

Result<PublicIdentity> PublicIdentity::parse(std::string_view text) {
  if (text.size() > kMaxIdentityBytes) return not_an_identity("it is too long");
  const std::string_view inner = without_blanks_around(text);
  if (inner.size() < kBegin.size() + kEnd.size() || !inner.starts_with(kBegin) || !inner.ends_with(kEnd))
    return not_an_identity(fmt::format("it does not start with {} and end likewise", kBegin));
  const auto bytes = parse_base64(inner.substr(kBegin.size(), inner.size() - kBegin.size() - kEnd.size()));
  if (!bytes) return not_an_identity(bytes.error().message);
  return decode(*bytes);
}

bool PublicIdentity::verify(ByteSpan text, ByteSpan signature) const {
  return signature.size() <= kMaxSignatureBytes &&
         internal::verify(static_cast<EVP_PKEY*>(tls_key_.get()), text, signature);
}

std::string PublicIdentity::text() const {
  constexpr std::size_t kLine = 64;
  const std::string letters = base64(encoded_);
  std::string out = fmt::format("{}\n", kBegin);
  for (std::size_t i = 0; i < letters.size(); i += kLine) out += letters.substr(i, kLine) + "\n";
  return out + fmt::format("{}\n", kEnd);
}

std::string PublicIdentity::certificate_pem() const { return internal::certificate_pem(certificate_); }

}  // namespace ppdnmf::identity
