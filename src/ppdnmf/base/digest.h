#ifndef PPDNMF_BASE_DIGEST_H_
#define PPDNMF_BASE_DIGEST_H_

#include <array>
#include <cstdint>
#include <initializer_list>

#include <ppdnmf/base/bytes.h>

namespace ppdnmf {

using Digest = std::array<std::uint8_t, 32>;

// SHA-256 (OpenSSL's).
[[nodiscard]] Digest sha256(ByteSpan bytes);
// Of the parts one after the other, as if they were one.
[[nodiscard]] Digest sha256(std::initializer_list<ByteSpan> parts);

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_DIGEST_H_
