#include "base/digest.h"

#include <openssl/sha.h>

namespace ppdnmf {

Digest sha256(ByteSpan bytes) {
  Digest digest{};
  SHA256(bytes.data(), bytes.size(), digest.data());
  return digest;
}

}  // namespace ppdnmf
