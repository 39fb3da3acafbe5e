// Paillier keys. n = p q; plaintexts are residues modulo n, ciphertexts units modulo n^2,
//   Enc(m) = (1 + n m) (h^n)^r mod n^2.
//
// Two profiles say where h and r come from; docs/crypto.md says what each assumes.
//   standard  p = q = 3 mod 4, gcd(p - 1, q - 1) = 2. Whoever encrypts picks h = -x^2 mod n and r of bits / 2 bits.
//   fast      p - 1 = 2 P p', q - 1 = 2 Q q' with primes P, Q of short_exponent_bits() / 2 bits; the owner publishes
//             h = -y^(2 p' q'), of order 2 P Q, and r has short_exponent_bits() bits. Peers must trust that h.
#ifndef PPDNMF_CRYPTO_KEY_H_
#define PPDNMF_CRYPTO_KEY_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/kernel.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::crypto {

namespace internal {
struct PublicKeyData;
struct PrivateKeyData;
}  // namespace internal

enum class KeyProfile : std::uint8_t { kStandard = 1, kFast = 2 };

// What the parties of a run agree on. Everything a peer sends is held against it.
struct KeyOptions {
  std::size_t bits = 2048;  // of n, exactly: a multiple of 256, 2048 to 4096; from 512 with test_only
  KeyProfile profile = KeyProfile::kStandard;
  bool test_only = false;  // permits keys that protect nothing, for quick tests
  Kernel kernel = Kernel::kAutomatic;
};

// Fails with kUsage if the size is not permitted or the kernel is not available.
[[nodiscard]] Status check(const KeyOptions& options);

// The length of r in the fast profile: four times the security level, 448 bits at 2048 and 512 at 3072.
[[nodiscard]] std::size_t short_exponent_bits(std::size_t key_bits);

// Immutable and cheap to copy; copies share one set of tables. Safe to use from several threads.
class PublicKey {
 public:
  // Bytes of a key, all numbers little-endian (the least significant byte first):
  //   version 1 (u8), profile (u8), bits (u16), n (bits / 8 bytes), and in the fast profile h (bits / 8 bytes).
  // decode fails with kPeer unless the length fits, n has exactly options.bits bits, is odd, composite, not a perfect
  // power and has no factor below 2^24 (2^16 with test_only), and (fast) 1 < h < n is a unit of Jacobi symbol 1 whose
  // n-th power has no small order modulo any factor of n. Fails with kUsage if the options do. Takes less than 0.1 s,
  // the first time in a process 0.1 s more.
  [[nodiscard]] static Result<PublicKey> decode(ByteSpan bytes, const KeyOptions& options);
  [[nodiscard]] Bytes encode() const;
  // The length of every public key with these options.
  [[nodiscard]] static std::size_t encoded_bytes(const KeyOptions& options);

  [[nodiscard]] std::size_t bits() const;
  [[nodiscard]] KeyProfile profile() const;
  [[nodiscard]] Kernel kernel() const;
  [[nodiscard]] std::size_t plaintext_words() const { return bits() / 64; }
  [[nodiscard]] std::size_t ciphertext_bytes() const { return bits() / 4; }
  // The length of r when encrypting for this key.
  [[nodiscard]] std::size_t exponent_bits() const;
  // The same n and h. The kernels may differ.
  [[nodiscard]] bool same_as(const PublicKey& other) const;

  // For the other files of this folder.
  explicit PublicKey(std::shared_ptr<const internal::PublicKeyData> data) : data_(std::move(data)) {}
  [[nodiscard]] const internal::PublicKeyData& data() const { return *data_; }

 private:
  std::shared_ptr<const internal::PublicKeyData> data_;
};

// Move-only, wiped when it goes, not printable.
class PrivateKey {
 public:
  // Draws a seed of 32 bytes from the stream and the primes from that seed, bits and profile: the same stream gives the
  // same key, and keys of other sizes or profiles have nothing in common with it. Fails with kUsage if the options do.
  [[nodiscard]] static Result<PrivateKey> generate(const KeyOptions& options, Stream& stream);
  // What encode_secret gave, or a key made elsewhere (standard profile: any two primes of bits / 2 bits will do).
  // Fails with kInvalidData if a length or the arithmetic is wrong.
  [[nodiscard]] static Result<PrivateKey> decode_secret(ByteSpan bytes, const KeyOptions& options);
  // For whoever must keep the key (a journal, mode 0600): version, profile, bits (u16), p, q of bits / 2 bits each,
  // and in the fast profile P, Q (bits / 2 each) and h (bits). Numbers are little-endian. Grep for this name to audit.
  [[nodiscard]] SecretBytes encode_secret() const;

  PrivateKey(PrivateKey&&) noexcept = default;
  PrivateKey& operator=(PrivateKey&&) noexcept = default;
  PrivateKey(const PrivateKey&) = delete;
  PrivateKey& operator=(const PrivateKey&) = delete;
  ~PrivateKey();

  [[nodiscard]] const PublicKey& public_key() const;

  // For the other files of this folder.
  explicit PrivateKey(std::shared_ptr<const internal::PrivateKeyData> data) : data_(std::move(data)) {}
  [[nodiscard]] const std::shared_ptr<const internal::PrivateKeyData>& data() const { return data_; }

 private:
  std::shared_ptr<const internal::PrivateKeyData> data_;
};

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_KEY_H_
