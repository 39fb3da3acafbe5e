#include <ppdnmf/identity/internal/certificate.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#include <ppdnmf/base/encoding.h>

namespace ppdnmf::identity::internal {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::sys_seconds;

std::time_t seconds_of(sys_days day) { return sys_seconds(day).time_since_epoch().count(); }

void set_names(X509* certificate, const TlsPoint& point) {
  const Digest digest = sha256(point);
  std::array<std::uint8_t, 16> serial{};
  std::copy_n(digest.begin(), serial.size(), serial.begin());
  serial[0] = static_cast<std::uint8_t>((serial[0] & 0x3fU) | 0x40U);  // positive, always sixteen bytes
  const Owned<BIGNUM> number(BN_bin2bn(serial.data(), static_cast<int>(serial.size()), nullptr));
  const Owned<ASN1_INTEGER> integer(BN_to_ASN1_INTEGER(number.get(), nullptr));
  const std::string name = hex(digest).substr(32);
  X509_NAME* subject = X509_get_subject_name(certificate);
  PPDNMF_CHECK(X509_set_serialNumber(certificate, integer.get()) == 1 &&
               X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_ASC,
                                          reinterpret_cast<const unsigned char*>(name.data()),
                                          static_cast<int>(name.size()), -1, 0) == 1 &&
               X509_set_issuer_name(certificate, subject) == 1);
}

void add_extension(X509* certificate, int nid, const char* value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value);
  const bool added = extension != nullptr && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  PPDNMF_CHECK(added);
}

// All that is signed, and no signature yet.
Owned<X509> unsigned_certificate(EVP_PKEY* key, const TlsPoint& point, sys_days from, int valid_days) {
  Owned<X509> out(X509_new());
  PPDNMF_CHECK(out != nullptr && X509_set_version(out.get(), X509_VERSION_3) == 1 &&
               ASN1_TIME_set(X509_getm_notBefore(out.get()), seconds_of(from)) != nullptr &&
               ASN1_TIME_set(X509_getm_notAfter(out.get()), seconds_of(from + days(valid_days))) != nullptr &&
               X509_set_pubkey(out.get(), key) == 1);
  set_names(out.get(), point);
  add_extension(out.get(), NID_basic_constraints, "critical,CA:FALSE");
  add_extension(out.get(), NID_subject_alt_name, "DNS:ppdnmf");
  // The name of the signature's algorithm is part of what is signed. X509_sign sets it; whoever only compares must,
  // too.
  auto* algorithm = const_cast<X509_ALGOR*>(X509_get0_tbs_sigalg(out.get()));
  PPDNMF_CHECK(X509_ALGOR_set0(algorithm, OBJ_nid2obj(NID_ecdsa_with_SHA256), V_ASN1_UNDEF, nullptr) == 1);
  return out;
}

Bytes signed_part(X509* certificate) {
  unsigned char* data = nullptr;
  const int size = i2d_re_X509_tbs(certificate, &data);
  PPDNMF_CHECK(size > 0);
  Bytes out(data, data + size);
  OPENSSL_free(data);
  return out;
}

Bytes der_of(const X509* certificate) {
  unsigned char* data = nullptr;
  const int size = i2d_X509(certificate, &data);
  PPDNMF_CHECK(size > 0);
  Bytes out(data, data + size);
  OPENSSL_free(data);
  return out;
}

Owned<X509> read_der(ByteSpan der) {
  const unsigned char* at = der.data();
  Owned<X509> out(d2i_X509(nullptr, &at, static_cast<long>(der.size())));
  if (out != nullptr && at == der.data() + der.size() && std::ranges::equal(der_of(out.get()), der)) return out;
  ERR_clear_error();
  return nullptr;
}

// Nothing unless it is midnight of a day that make_certificate takes.
std::optional<sys_days> first_day(const X509* certificate) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(X509_get0_notBefore(certificate), &parts) != 1) return std::nullopt;
  const sys_days day{std::chrono::year{parts.tm_year + 1900} / (parts.tm_mon + 1) / parts.tm_mday};
  if (day < kFirstDay || day >= kLastDay) return std::nullopt;
  return day;
}

tl::unexpected<Error> refused(const char* what) {
  return error(ErrorCode::kInvalidData,
               "its certificate {}: ask its owner for the file that 'ppdnmf identity new' wrote", what);
}

}  // namespace

Bytes make_certificate(EVP_PKEY* key, sys_days from) {
  const std::optional<TlsPoint> point = point_of(key);
  PPDNMF_CHECK(point && from >= kFirstDay && from < kLastDay);
  const Owned<X509> certificate = unsigned_certificate(key, *point, from, kValidDays);
  PPDNMF_CHECK(X509_sign(certificate.get(), key, EVP_sha256()) > 0);
  return der_of(certificate.get());
}

Result<CertificateContent> parse_certificate(ByteSpan der) {
  if (der.empty() || der.size() > kMaxCertificateBytes) return refused("has an impossible length");
  const Owned<X509> certificate = read_der(der);
  if (certificate == nullptr) return refused("cannot be read");
  const std::optional<TlsPoint> point = point_of(X509_get0_pubkey(certificate.get()));
  ERR_clear_error();
  if (!point) return refused("has no P-256 key");
  const std::optional<sys_days> from = first_day(certificate.get());
  if (!from) return refused("has impossible dates");
  const Owned<EVP_PKEY> key = public_tls_key(*point);
  if (key == nullptr) return refused("has no P-256 key");
  // signed_part() made OpenSSL forget the bytes that it read, so that the second comparison finds BER that is not DER.
  const Bytes found = signed_part(certificate.get());
  constexpr std::array<int, 2> kLives = {kValidDays, kValidDaysBefore};
  const auto* const life = std::ranges::find_if(kLives, [&](int valid_days) {
    return found == signed_part(unsigned_certificate(key.get(), *point, *from, valid_days).get());
  });
  if (life == kLives.end() || !std::ranges::equal(der_of(certificate.get()), der)) {
    return refused("is not of the form that ppdnmf makes");
  }
  const bool own = X509_verify(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!own) return refused("is not signed with its own key");
  return CertificateContent{*point, *from, *life};
}

std::string certificate_pem(ByteSpan der) {
  const Owned<X509> certificate = read_der(der);
  const Owned<BIO> out(BIO_new(BIO_s_mem()));
  PPDNMF_CHECK(certificate != nullptr && out != nullptr && PEM_write_bio_X509(out.get(), certificate.get()) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(out.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

crypto::SecretBytes private_key_pem(EVP_PKEY* key) {
  const Owned<BIO> out(BIO_new(BIO_s_mem()));  // OpenSSL wipes such memory when it grows and when it goes
  PPDNMF_CHECK(out != nullptr &&
               PEM_write_bio_PKCS8PrivateKey(out.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(out.get(), &data);
  crypto::SecretBytes pem(static_cast<std::size_t>(size));
  std::memcpy(pem.data(), data, pem.size());
  return pem;
}

}  // namespace ppdnmf::identity::internal
