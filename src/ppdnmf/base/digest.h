#ifndef PPDNMF_BASE_DIGEST_H_
#define PPDNMF_BASE_DIGEST_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include <ppdnmf/base/bytes.h>

namespace ppdnmf {

using Digest = std::array<std::uint8_t, 32>;

// SHA-256 (OpenSSL's).
[[nodiscard]] Digest sha256(ByteSpan bytes);
// Of the parts one after the other, as if they were one.
[[nodiscard]] Digest sha256(std::initializer_list<ByteSpan> parts);

// The same for what does not lie in memory as one: any number of parts, one after the other.
class Sha256 {
 public:
  Sha256();
  void add(ByteSpan part);
  [[nodiscard]] Digest finish();  // once

 private:
  struct Free {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Free> context_;
};

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_DIGEST_H_
