#include <ppdnmf/identity/entropy.h>

#include <sys/random.h>

#include <cerrno>
#include <span>

#include <ppdnmf/base/result.h>

namespace ppdnmf::identity {

crypto::SecretBytes draw_entropy(std::size_t size) {
  crypto::SecretBytes out(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::getrandom(out.data() + done, size - done, 0);
    // With these flags only a signal can interrupt it; without entropy nothing may go on.
    PPDNMF_CHECK(count > 0 || (count < 0 && errno == EINTR));
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return out;
}

Seed draw_seed() {
  const crypto::SecretBytes bytes = draw_entropy(Seed::kBytes);
  return Seed::from_bytes(std::span<const std::uint8_t, Seed::kBytes>(bytes.data(), Seed::kBytes));
}

}  // namespace ppdnmf::identity
