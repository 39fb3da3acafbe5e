#include "crypto/internal/agreement.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>

#include <memory>

namespace ppdnmf::internal {
namespace {

constexpr std::size_t kKeyBytes = 32;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using Context = std::unique_ptr<EVP_PKEY_CTX, Free>;

Key private_key(std::span<const std::uint8_t> secret) {
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret.data(), secret.size()));
  PPDNMF_CHECK(key != nullptr);
  return key;
}

}  // namespace

PublicPoint x25519_public(std::span<const std::uint8_t> secret) {
  PublicPoint point{};
  std::size_t size = point.size();
  PPDNMF_CHECK(EVP_PKEY_get_raw_public_key(private_key(secret).get(), point.data(), &size) == 1 &&
               size == point.size());
  return point;
}

Result<SecretBytes> x25519(std::span<const std::uint8_t> secret, const PublicPoint& theirs) {
  const Key mine = private_key(secret);
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
  unsigned int size = 0;
  PPDNMF_CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), block.data(), block.size(), out.data(),
                    &size) != nullptr &&
               size == kKeyBytes);
  return out;
}

}  // namespace ppdnmf::internal
