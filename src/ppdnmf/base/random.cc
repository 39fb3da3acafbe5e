#include <ppdnmf/base/random.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

#include <ppdnmf/base/result.h>

namespace ppdnmf {

Seed Seed::from_number(std::uint64_t number) {
  Seed seed;
  std::memcpy(seed.bytes_.data(), &number, sizeof number);
  return seed;
}

Seed Seed::from_bytes(std::span<const std::uint8_t, kBytes> bytes) {
  Seed seed;
  std::copy(bytes.begin(), bytes.end(), seed.bytes_.begin());
  return seed;
}

Seed::Seed(Seed&& other) noexcept : bytes_(other.bytes_) { OPENSSL_cleanse(other.bytes_.data(), kBytes); }

Seed& Seed::operator=(Seed&& other) noexcept {
  if (this != &other) {
    bytes_ = other.bytes_;
    OPENSSL_cleanse(other.bytes_.data(), kBytes);
  }
  return *this;
}

Seed::~Seed() { OPENSSL_cleanse(bytes_.data(), kBytes); }

Seed Seed::derive(std::uint8_t purpose, std::uint64_t index) const {
  Seed child;
  Stream(*this, purpose, 0, index).fill(child.bytes_);
  return child;
}

// The key stream is made a buffer at a time: a call into OpenSSL for every eight bytes would cost more than the cipher.
struct Stream::Cipher {
  static constexpr std::size_t kBuffer = 1024;
  static constexpr std::size_t kMaxAtOnce = std::size_t{1} << 30;  // OpenSSL counts bytes in an int
  static constexpr std::uint64_t kLimit = std::uint64_t{1} << 38;  // 2^32 blocks of 64 bytes

  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  std::array<std::uint8_t, kBuffer> buffer{};
  std::size_t used = kBuffer;
  std::uint64_t produced = 0;

  Cipher() = default;
  Cipher(const Cipher&) = delete;
  Cipher& operator=(const Cipher&) = delete;
  Cipher(Cipher&&) = delete;
  Cipher& operator=(Cipher&&) = delete;
  ~Cipher() {
    EVP_CIPHER_CTX_free(context);
    OPENSSL_cleanse(buffer.data(), buffer.size());
  }

  void refill() {
    produce(buffer);
    used = 0;
  }

  // At most kMaxAtOnce bytes.
  void produce(std::span<std::uint8_t> out) {
    PPDNMF_CHECK(out.size() <= kLimit - produced);
    std::memset(out.data(), 0, out.size());
    int length = 0;
    PPDNMF_CHECK(EVP_EncryptUpdate(context, out.data(), &length, out.data(), static_cast<int>(out.size())) == 1);
    produced += out.size();
  }

  // Looked up by its name once: a look-up takes longer than a short stream.
  static const EVP_CIPHER* chacha20() {
    static const EVP_CIPHER* const kCipher = EVP_CIPHER_fetch(nullptr, "ChaCha20", nullptr);
    return kCipher;
  }
};

Stream::Stream(const Seed& seed, std::uint8_t purpose, std::uint32_t peer, std::uint64_t round)
    : cipher_(std::make_unique<Cipher>()) {
  PPDNMF_CHECK(peer < (1U << 24));
  // OpenSSL's 16-byte IV: 32-bit block counter (0), then RFC 8439's 12-byte nonce.
  std::array<std::uint8_t, 16> iv{};
  const std::uint32_t name = purpose | (peer << 8);
  std::memcpy(iv.data() + 4, &name, sizeof name);
  std::memcpy(iv.data() + 8, &round, sizeof round);
  PPDNMF_CHECK(cipher_->context != nullptr && Cipher::chacha20() != nullptr &&
               EVP_EncryptInit_ex(cipher_->context, Cipher::chacha20(), nullptr, seed.reveal_secret_bytes().data(),
                                  iv.data()) == 1);
}

Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() = default;

void Stream::fill(std::span<std::uint8_t> out) {
  while (!out.empty()) {
    // Whole buffers need not be copied.
    if (cipher_->used == Cipher::kBuffer && out.size() >= Cipher::kBuffer) {
      const std::size_t whole = std::min(out.size() / Cipher::kBuffer * Cipher::kBuffer, Cipher::kMaxAtOnce);
      cipher_->produce(out.first(whole));
      out = out.subspan(whole);
      continue;
    }
    if (cipher_->used == Cipher::kBuffer) cipher_->refill();
    const std::size_t count = std::min(out.size(), Cipher::kBuffer - cipher_->used);
    std::memcpy(out.data(), cipher_->buffer.data() + cipher_->used, count);
    cipher_->used += count;
    out = out.subspan(count);
  }
}

std::uint64_t Stream::next() {
  std::array<std::uint8_t, 8> bytes{};
  fill(bytes);
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::uint64_t Stream::below(std::uint64_t bound) {
  PPDNMF_CHECK(bound > 0);
  // The first 2^64 mod bound values would make small results likelier.
  const std::uint64_t first_fair = (0 - bound) % bound;
  for (;;) {
    const std::uint64_t value = next();
    if (value >= first_fair) return value % bound;
  }
}

double Stream::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Stream::normal() {
  const double radius = std::sqrt(2 * exponential());
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

double Stream::exponential() { return -std::log(1 - uniform()); }

}  // namespace ppdnmf
