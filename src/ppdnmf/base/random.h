// All randomness of a run, from one seed.
//
// A stream is named, not shared: Stream(seed, purpose, peer, round) always yields the same bytes. What an agent draws
// for one purpose therefore does not depend on the order in which messages arrive, and after a crash it draws exactly
// what it drew before without having saved a generator's position.
#ifndef PPDNMF_BASE_RANDOM_H_
#define PPDNMF_BASE_RANDOM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace ppdnmf {

// 256 secret bits. Move-only, wiped when it goes, and nothing here prints it.
class Seed {
 public:
  static constexpr std::size_t kBytes = 32;

  // For runs that are to be repeated: the number's bits followed by zeros.
  [[nodiscard]] static Seed from_number(std::uint64_t number);
  [[nodiscard]] static Seed from_bytes(std::span<const std::uint8_t, kBytes> bytes);

  Seed(Seed&& other) noexcept;
  Seed& operator=(Seed&& other) noexcept;
  Seed(const Seed&) = delete;
  Seed& operator=(const Seed&) = delete;
  ~Seed();

  // An independent seed named by (purpose, index).
  [[nodiscard]] Seed derive(std::uint8_t purpose, std::uint64_t index) const;
  // For whoever must store the seed (a checkpoint, mode 0600) or derive keys from it; grep for this name to audit.
  [[nodiscard]] std::span<const std::uint8_t, kBytes> reveal_secret_bytes() const { return bytes_; }

 private:
  Seed() = default;
  std::array<std::uint8_t, kBytes> bytes_{};
};

// ChaCha20 (RFC 8439, OpenSSL's) under the seed; the nonce is purpose | peer | round, so distinct names give
// independent streams. Not safe to share between threads. Yields at most 2^38 bytes (checked).
class Stream {
 public:
  // peer < 2^24 (checked).
  Stream(const Seed& seed, std::uint8_t purpose, std::uint32_t peer = 0, std::uint64_t round = 0);
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  void fill(std::span<std::uint8_t> out);
  [[nodiscard]] std::uint64_t next();
  // Uniform in [0, bound), without bias. bound > 0 (checked).
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);
  // Uniform multiple of 2^-53 in [0, 1).
  [[nodiscard]] double uniform();
  // Standard normal (Box-Muller) and exponential with mean 1, for test data.
  [[nodiscard]] double normal();
  [[nodiscard]] double exponential();

 private:
  struct Cipher;
  std::unique_ptr<Cipher> cipher_;
};

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_RANDOM_H_
