#include <ppdnmf/base/digest.h>

#include <openssl/evp.h>
#include <openssl/sha.h>

namespace ppdnmf {

Digest sha256(ByteSpan bytes) {
  Digest digest{};
  SHA256(bytes.data(), bytes.size(), digest.data());
  return digest;
}

Digest sha256(std::initializer_list<ByteSpan> parts) {
  Sha256 hash;
  for (const ByteSpan part : parts) hash.add(part);
  return hash.finish();
}

void Sha256::Free::operator()(void* context) const { EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context)); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  PPDNMF_CHECK(context_ != nullptr &&
               EVP_DigestInit_ex(static_cast<EVP_MD_CTX*>(context_.get()), EVP_sha256(), nullptr) == 1);
}

void Sha256::add(ByteSpan part) {
  PPDNMF_CHECK(EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_.get()), part.data(), part.size()) == 1);
}

Digest Sha256::finish() {
  Digest digest{};
  PPDNMF_CHECK(EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context_.get()), digest.data(), nullptr) == 1);
  return digest;
}

}  // namespace ppdnmf
