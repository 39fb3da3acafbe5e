#include <ppdnmf/crypto/secret.h>

#include <openssl/crypto.h>

namespace ppdnmf::crypto {

void wipe(void* data, std::size_t size) {
  if (size > 0) OPENSSL_cleanse(data, size);
}

}  // namespace ppdnmf::crypto
