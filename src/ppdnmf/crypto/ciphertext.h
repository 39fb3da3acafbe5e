// Batches of ciphertexts. What may be sent and what may only be computed with are different types.
//
//   Ciphertexts          under one key, to compute with; has no way onto the wire
//   SendableCiphertexts  bytes that carry fresh randomness; only encryption and re-randomising operations make one
//   AsPrintedCiphertexts bytes of the scheme as the paper prints it, which is not private
#ifndef PPDNMF_CRYPTO_CIPHERTEXT_H_
#define PPDNMF_CRYPTO_CIPHERTEXT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::crypto {

// Kept in the kernel's own form between operations. Move-only, because copies are large.
class Ciphertexts {
 public:
  // `count` ciphertexts of key.ciphertext_bytes() bytes each, little-endian. Fails with kPeer if the length does not
  // fit, or if one is not in (0, n^2) or shares a factor with n; the message names its index.
  [[nodiscard]] static Result<Ciphertexts> decode(const PublicKey& key, ByteSpan bytes, std::size_t count,
                                                  Executor& executor);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const PublicKey& key() const { return key_; }

  // For the other files of this folder: groups of eight in Montgomery form; unused lanes are 1.
  Ciphertexts(const PublicKey& key, std::size_t count);
  [[nodiscard]] std::size_t groups() const;
  [[nodiscard]] std::uint64_t* group(std::size_t g);
  [[nodiscard]] const std::uint64_t* group(std::size_t g) const;

 private:
  PublicKey key_;
  std::size_t count_;
  SecretWords words_;
};

class SendableCiphertexts {
 public:
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size() / key_.ciphertext_bytes(); }
  [[nodiscard]] const PublicKey& key() const { return key_; }

 private:
  friend class PeerEncryptor;
  friend class OwnEncryptor;
  SendableCiphertexts(PublicKey key, Bytes bytes) : key_(std::move(key)), bytes_(std::move(bytes)) {}

  PublicKey key_;
  Bytes bytes_;
};

class AsPrintedCiphertexts {
 public:
  [[nodiscard]] const Bytes& bytes_that_are_not_private() const { return bytes_; }

 private:
  friend class PeerEncryptor;
  explicit AsPrintedCiphertexts(Bytes bytes) : bytes_(std::move(bytes)) {}

  Bytes bytes_;
};

// Sums of plaintexts: the product a[t] b[t] mod n^2. Fails with kUsage unless both have the same key, kernel and size.
[[nodiscard]] Result<Ciphertexts> add(const Ciphertexts& a, const Ciphertexts& b, Executor& executor);
// The same over a list. Fails with kUsage if it is empty, too.
[[nodiscard]] Result<Ciphertexts> sum(std::span<const Ciphertexts> terms, Executor& executor);

// A secret positive factor: move-only and wiped. How long it may be is public, and decides how long multiplying takes.
class Weight {
 public:
  Weight(Weight&& other) noexcept : value_(std::exchange(other.value_, 0)), bits_(other.bits_) {}
  Weight& operator=(Weight&& other) noexcept {
    std::swap(value_, other.value_);
    std::swap(bits_, other.bits_);
    return *this;
  }
  Weight(const Weight&) = delete;
  Weight& operator=(const Weight&) = delete;
  ~Weight() { wipe(&value_, sizeof value_); }

  static constexpr std::size_t kMaxBits = 62;

  // Fails with kNumeric unless 1 <= value < 2^bits and bits <= kMaxBits.
  [[nodiscard]] static Result<Weight> create(std::uint64_t value, std::size_t bits);
  [[nodiscard]] std::uint64_t value() const { return value_; }
  [[nodiscard]] std::size_t bits() const { return bits_; }

 private:
  Weight(std::uint64_t value, std::size_t bits) : value_(value), bits_(bits) {}
  std::uint64_t value_;
  std::size_t bits_;
};

// Multiples of plaintexts: c[t]^weight mod n^2, in a time that depends on weight.bits() only.
[[nodiscard]] Ciphertexts multiply(const Ciphertexts& c, const Weight& weight, Executor& executor);

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_CIPHERTEXT_H_
