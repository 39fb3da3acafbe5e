#include <ppdnmf/identity/sealing.h>

#include <openssl/err.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include <ppdnmf/identity/entropy.h>
#include <ppdnmf/identity/internal/openssl.h>

namespace ppdnmf::identity {
namespace {

constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kTagBytes = 16;
static_assert(kSealBytes == kSaltBytes + kTagBytes);

crypto::SecretBytes stretch(const Passphrase& passphrase, ByteSpan salt) {
  constexpr std::uint64_t kN = std::uint64_t{1} << 16U;
  constexpr std::uint64_t kMaxMemory = std::uint64_t{100} << 20U;
  crypto::SecretBytes key(32);
  PPDNMF_CHECK(EVP_PBE_scrypt(reinterpret_cast<const char*>(passphrase.bytes.data()), passphrase.bytes.size(),
                              salt.data(), salt.size(), kN, 8, 1, kMaxMemory, key.data(), key.size()) == 1);
  return key;
}

// AES-256-GCM, ready for the text, `beside` taken in. The key belongs to one salt, so the nonce need not differ.
internal::Owned<EVP_CIPHER_CTX> start(const crypto::SecretBytes& key, ByteSpan beside, bool encrypting) {
  constexpr std::array<std::uint8_t, 12> kNonce{};
  internal::Owned<EVP_CIPHER_CTX> context(EVP_CIPHER_CTX_new());
  int size = 0;
  PPDNMF_CHECK(context != nullptr &&
               EVP_CipherInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.data(), kNonce.data(),
                                 encrypting ? 1 : 0) == 1 &&
               EVP_CipherUpdate(context.get(), nullptr, &size, beside.data(), static_cast<int>(beside.size())) == 1);
  return context;
}

}  // namespace

Bytes seal(const crypto::SecretBytes& secret, const Passphrase& passphrase, ByteSpan beside) {
  const crypto::SecretBytes salt = draw_entropy(kSaltBytes);
  const auto context = start(stretch(passphrase, salt.span()), beside, true);
  Bytes out(secret.size() + kSealBytes);
  std::copy(salt.span().begin(), salt.span().end(), out.begin());
  int size = 0;
  int rest = 0;
  PPDNMF_CHECK(EVP_EncryptUpdate(context.get(), out.data() + kSaltBytes, &size, secret.data(),
                                 static_cast<int>(secret.size())) == 1 &&
               EVP_EncryptFinal_ex(context.get(), out.data() + kSaltBytes + size, &rest) == 1 &&
               EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, kTagBytes,
                                   out.data() + kSaltBytes + secret.size()) == 1);
  return out;
}

Result<crypto::SecretBytes> unseal(ByteSpan sealed, const Passphrase& passphrase, ByteSpan beside) {
  if (sealed.size() < kSealBytes) return error(ErrorCode::kInvalidData, "it ends too early");
  const ByteSpan text = sealed.subspan(kSaltBytes, sealed.size() - kSealBytes);
  Bytes tag(sealed.end() - kTagBytes, sealed.end());
  const auto context = start(stretch(passphrase, sealed.first(kSaltBytes)), beside, false);
  crypto::SecretBytes out(text.size());
  int size = 0;
  int rest = 0;
  std::uint8_t none = 0;  // GCM has no rest, but OpenSSL wants a place for it
  const bool right =
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kTagBytes, tag.data()) == 1 &&
      EVP_DecryptUpdate(context.get(), out.data(), &size, text.data(), static_cast<int>(text.size())) == 1 &&
      EVP_DecryptFinal_ex(context.get(), &none, &rest) == 1;
  ERR_clear_error();
  if (!right) return error(ErrorCode::kUsage, "this passphrase does not open it, or the file was changed");
  return out;
}

}  // namespace ppdnmf::identity
