#ifndef PPDNMF_BASE_DIGEST_H_
#define PPDNMF_BASE_DIGEST_H_

#include <array>
#include <cstdint>

#include "base/bytes.h"

namespace ppdnmf {

using Digest = std::array<std::uint8_t, 32>;

// SHA-256 (OpenSSL's).
[[nodiscard]] Digest sha256(ByteSpan bytes);

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_DIGEST_H_
