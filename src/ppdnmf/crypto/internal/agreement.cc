#include <ppdnmf/crypto/internal/agreement.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>

namespace ppdnmf::crypto::internal {
namespace {

constexpr std::size_t kKeyBytes = 32;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using Context = std::unique_ptr<EVP_PKEY_CTX, Free>;

Key private_key(std::span<const std::uint8_t> secret) {
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret.data(), secret.size()));
  PPDNMF_CHECK(key != nullptr);
  return key;
}

// Given the secret alone, OpenSSL would compute the public key again, which takes longer than the agreement itself.
Key key_pair(std::span<const std::uint8_t> secret, const PublicPoint& own) {
  const Context context(EVP_PKEY_CTX_new_from_name(nullptr, "X25519", nullptr));
  // fromdata reads the parameters only; their type has no const.
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, const_cast<std::uint8_t*>(secret.data()),
                                        secret.size()),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, const_cast<std::uint8_t*>(own.data()), own.size()),
      OSSL_PARAM_construct_end()};
  EVP_PKEY* key = nullptr;
  PPDNMF_CHECK(context != nullptr && EVP_PKEY_fromdata_init(context.get()) == 1 &&
               EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, parameters) == 1);
  return Key(key);
}

// SHA-256, looked up by its name once: a look-up takes longer than hashing a few blocks.
const EVP_MD* fetched_sha256() {
  static const EVP_MD* const kDigest = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  PPDNMF_CHECK(kDigest != nullptr);
  return kDigest;
}

// HMAC-SHA256 (RFC 2104) of a key that is not longer than a block. OpenSSL's own looks up two algorithms by name in
// every call; a large run makes millions.
void hmac_sha256(std::span<const std::uint8_t> key, ByteSpan message, SecretBytes& out) {
  constexpr std::size_t kBlock = 64;
  PPDNMF_CHECK(key.size() <= kBlock && out.size() == kKeyBytes);
  const std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
  PPDNMF_CHECK(context != nullptr);
  SecretBytes padded(kBlock);
  const auto hash = [&](std::uint8_t pad, ByteSpan rest) {
    std::fill_n(padded.data(), kBlock, pad);
    for (std::size_t t = 0; t < key.size(); ++t) padded.data()[t] ^= key[t];
    unsigned int size = 0;
    PPDNMF_CHECK(EVP_DigestInit_ex(context.get(), fetched_sha256(), nullptr) == 1 &&
                 EVP_DigestUpdate(context.get(), padded.data(), kBlock) == 1 &&
                 EVP_DigestUpdate(context.get(), rest.data(), rest.size()) == 1 &&
                 EVP_DigestFinal_ex(context.get(), out.data(), &size) == 1 && size == kKeyBytes);
  };
  hash(0x36, message);
  hash(0x5c, out.span());
}

}  // namespace

PublicPoint x25519_public(std::span<const std::uint8_t> secret) {
  PublicPoint point{};
  std::size_t size = point.size();
  PPDNMF_CHECK(EVP_PKEY_get_raw_public_key(private_key(secret).get(), point.data(), &size) == 1 &&
               size == point.size());
  return point;
}

Result<SecretBytes> x25519(std::span<const std::uint8_t> secret, const PublicPoint& own, const PublicPoint& theirs) {
  const Key mine = key_pair(secret, own);
  const Key peer(EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, theirs.data(), theirs.size()));
  const Context context(EVP_PKEY_CTX_new(mine.get(), nullptr));
  SecretBytes shared(kKeyBytes);
  std::size_t size = shared.size();
  // OpenSSL refuses a shared secret of zeros, which is what points of small order give.
  if (peer == nullptr || context == nullptr || EVP_PKEY_derive_init(context.get()) != 1 ||
      EVP_PKEY_derive_set_peer(context.get(), peer.get()) != 1 ||
      EVP_PKEY_derive(context.get(), shared.data(), &size) != 1 || size != shared.size()) {
    return error(ErrorCode::kPeer, "it is not a usable X25519 key");
  }
  return shared;
}

SecretBytes hkdf(std::span<const std::uint8_t> secret, ByteSpan salt, ByteSpan info) {
  const Context context(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr));
  SecretBytes out(kKeyBytes);
  std::size_t size = out.size();
  PPDNMF_CHECK(context != nullptr && EVP_PKEY_derive_init(context.get()) == 1 &&
               EVP_PKEY_CTX_set_hkdf_md(context.get(), EVP_sha256()) == 1 &&
               EVP_PKEY_CTX_set1_hkdf_salt(context.get(), salt.data(), static_cast<int>(salt.size())) == 1 &&
               EVP_PKEY_CTX_set1_hkdf_key(context.get(), secret.data(), static_cast<int>(secret.size())) == 1 &&
               EVP_PKEY_CTX_add1_hkdf_info(context.get(), info.data(), static_cast<int>(info.size())) == 1 &&
               EVP_PKEY_derive(context.get(), out.data(), &size) == 1 && size == kKeyBytes);
  return out;
}

SecretBytes hkdf_expand(std::span<const std::uint8_t> key, ByteSpan info) {
  PPDNMF_CHECK(key.size() == kKeyBytes);
  Bytes block(info.begin(), info.end());
  block.push_back(1);  // one block of output is all there is
  SecretBytes out(kKeyBytes);
  hmac_sha256(key, block, out);
  return out;
}

}  // namespace ppdnmf::crypto::internal
