#include <ppdnmf/base/digest.h>

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <memory>

namespace ppdnmf {

Digest sha256(ByteSpan bytes) {
  Digest digest{};
  SHA256(bytes.data(), bytes.size(), digest.data());
  return digest;
}

Digest sha256(std::initializer_list<ByteSpan> parts) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  PPDNMF_CHECK(context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  for (const ByteSpan part : parts) PPDNMF_CHECK(EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1);
  Digest digest{};
  PPDNMF_CHECK(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return digest;
}

}  // namespace ppdnmf
