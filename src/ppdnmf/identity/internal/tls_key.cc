#include <ppdnmf/identity/internal/tls_key.h>

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>

#include <string_view>

#include <ppdnmf/base/result.h>

namespace ppdnmf::identity::internal {
namespace {

constexpr const char* kGroup = "prime256v1";

// A key of the point, with `secret` if there is one. Null if OpenSSL refuses it.
Owned<EVP_PKEY> make_key(const TlsPoint& point, const BIGNUM* secret) {
  const Owned<OSSL_PARAM_BLD> build(OSSL_PARAM_BLD_new());
  PPDNMF_CHECK(build != nullptr &&
               OSSL_PARAM_BLD_push_utf8_string(build.get(), OSSL_PKEY_PARAM_GROUP_NAME, kGroup, 0) == 1 &&
               OSSL_PARAM_BLD_push_octet_string(build.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) == 1);
  if (secret != nullptr) PPDNMF_CHECK(OSSL_PARAM_BLD_push_BN(build.get(), OSSL_PKEY_PARAM_PRIV_KEY, secret) == 1);
  const Owned<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(build.get()));
  const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  PPDNMF_CHECK(parameters != nullptr && context != nullptr && EVP_PKEY_fromdata_init(context.get()) == 1);
  EVP_PKEY* key = nullptr;
  const int selection = secret != nullptr ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
  if (EVP_PKEY_fromdata(context.get(), &key, selection, parameters.get()) != 1) ERR_clear_error();
  return Owned<EVP_PKEY>(key);
}

}  // namespace

Owned<EVP_PKEY> generate_tls_key() {
  Owned<EVP_PKEY> key(EVP_EC_gen(kGroup));
  PPDNMF_CHECK(key != nullptr);
  return key;
}

Owned<EVP_PKEY> public_tls_key(const TlsPoint& point) { return make_key(point, nullptr); }

Owned<EVP_PKEY> private_tls_key(const crypto::SecretBytes& secret, const TlsPoint& point) {
  const Owned<BIGNUM> number(BN_secure_new());
  PPDNMF_CHECK(number != nullptr && BN_bin2bn(secret.data(), static_cast<int>(secret.size()), number.get()) != nullptr);
  Owned<EVP_PKEY> key = make_key(point, number.get());
  if (key == nullptr) return key;
  const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
  PPDNMF_CHECK(context != nullptr);
  if (EVP_PKEY_pairwise_check(context.get()) == 1) return key;
  ERR_clear_error();
  return nullptr;
}

std::optional<TlsPoint> point_of(const EVP_PKEY* key) {
  TlsPoint point{};
  char group[32] = {};
  std::size_t size = 0;
  const bool right =
      key != nullptr && EVP_PKEY_is_a(key, "EC") == 1 &&
      EVP_PKEY_get_group_name(key, group, sizeof group, nullptr) == 1 && std::string_view(group) == kGroup &&
      EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size(), &size) == 1 &&
      size == point.size() && point[0] == POINT_CONVERSION_UNCOMPRESSED;
  if (right) return point;
  ERR_clear_error();
  return std::nullopt;
}

crypto::SecretBytes secret_of(const EVP_PKEY* key) {
  BIGNUM* number = nullptr;
  PPDNMF_CHECK(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1);
  const Owned<BIGNUM> owned(number);
  crypto::SecretBytes out(kTlsSecretBytes);
  PPDNMF_CHECK(BN_bn2binpad(number, out.data(), static_cast<int>(out.size())) == static_cast<int>(out.size()));
  return out;
}

Bytes sign(EVP_PKEY* key, ByteSpan text) {
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  PPDNMF_CHECK(context != nullptr && EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1);
  Bytes out(static_cast<std::size_t>(EVP_PKEY_get_size(key)));
  std::size_t size = out.size();
  PPDNMF_CHECK(EVP_DigestSign(context.get(), out.data(), &size, text.data(), text.size()) == 1);
  out.resize(size);
  return out;
}

bool verify(EVP_PKEY* key, ByteSpan text, ByteSpan signature) {
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  PPDNMF_CHECK(context != nullptr && EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1);
  const bool right = EVP_DigestVerify(context.get(), signature.data(), signature.size(), text.data(), text.size()) == 1;
  ERR_clear_error();
  return right;
}

}  // namespace ppdnmf::identity::internal
