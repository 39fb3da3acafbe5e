// What is encrypted: residues modulo a key's n. Move-only and wiped, since they carry an agent's numbers.
#ifndef PPDNMF_CRYPTO_PLAINTEXT_H_
#define PPDNMF_CRYPTO_PLAINTEXT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::crypto {

class Plaintexts {
 public:
  // `count` zeros modulo the key's n.
  Plaintexts(const PublicKey& key, std::size_t count);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const PublicKey& key() const { return key_; }
  // Residue i < size(), key().plaintext_words() words, the least significant first. Whoever writes keeps it below n;
  // encryption refuses what is not.
  [[nodiscard]] std::span<std::uint64_t> residue(std::size_t i) {
    return words_.span().subspan(i * key_.plaintext_words(), key_.plaintext_words());
  }
  [[nodiscard]] std::span<const std::uint64_t> residue(std::size_t i) const {
    return words_.span().subspan(i * key_.plaintext_words(), key_.plaintext_words());
  }
  // residue(i) += addend, or -= addend, modulo n, without a branch on either. Fails with kUsage, and changes nothing,
  // unless i < size() and addend < n has plaintext_words() words.
  [[nodiscard]] Status add(std::size_t i, std::span<const std::uint64_t> addend);
  [[nodiscard]] Status subtract(std::size_t i, std::span<const std::uint64_t> subtrahend);
  // Fails with kUsage if a residue is n or above, naming it. Branches on nothing else.
  [[nodiscard]] Status check_residues() const;

 private:
  [[nodiscard]] Status check_operand(std::size_t i, std::span<const std::uint64_t> operand) const;

  PublicKey key_;
  std::size_t count_;
  SecretWords words_;
};

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_PLAINTEXT_H_
