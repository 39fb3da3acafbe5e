// Memory for secrets: move-only, aligned for the widest vectors, zero at the start and wiped at the end.
#ifndef PPDNMF_CRYPTO_SECRET_H_
#define PPDNMF_CRYPTO_SECRET_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace ppdnmf {

// Overwrites memory in a way that the compiler may not remove.
void wipe(void* data, std::size_t size);

// 64-bit words. Nothing here prints them; grep for data() and span() to see who reads.
class SecretWords {
 public:
  SecretWords() = default;
  explicit SecretWords(std::size_t size);
  SecretWords(SecretWords&& other) noexcept;
  SecretWords& operator=(SecretWords&& other) noexcept;
  SecretWords(const SecretWords&) = delete;
  SecretWords& operator=(const SecretWords&) = delete;
  ~SecretWords();

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::uint64_t* data() { return words_; }
  [[nodiscard]] const std::uint64_t* data() const { return words_; }
  [[nodiscard]] std::span<std::uint64_t> span() { return {words_, size_}; }
  [[nodiscard]] std::span<const std::uint64_t> span() const { return {words_, size_}; }

 private:
  std::uint64_t* words_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ppdnmf

#endif  // PPDNMF_CRYPTO_SECRET_H_
