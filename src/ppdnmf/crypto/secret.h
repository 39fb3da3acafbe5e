// Memory for secrets: move-only, aligned for the widest vectors, zero at the start and wiped at the end.
#ifndef PPDNMF_CRYPTO_SECRET_H_
#define PPDNMF_CRYPTO_SECRET_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace ppdnmf::crypto {

// Overwrites memory in a way that the compiler may not remove.
void wipe(void* data, std::size_t size);

// `size` integers. Nothing here prints or compares them; grep for data() and span() to see who reads.
template <typename T>
class SecretArray {
  static_assert(std::is_integral_v<T>);

 public:
  SecretArray() = default;
  explicit SecretArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    data_ = static_cast<T*>(::operator new(size * sizeof(T), kAlignment));
    std::memset(data_, 0, size * sizeof(T));
  }
  SecretArray(SecretArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  SecretArray& operator=(SecretArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  SecretArray(const SecretArray&) = delete;
  SecretArray& operator=(const SecretArray&) = delete;
  ~SecretArray() {
    if (data_ == nullptr) return;
    wipe(data_, size_ * sizeof(T));
    ::operator delete(data_, kAlignment);
    data_ = nullptr;  // clang's analyser takes the destructor of std::optional for a second one of what it holds
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::span<T> span() { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const { return {data_, size_}; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

using SecretWords = SecretArray<std::uint64_t>;
using SecretBytes = SecretArray<std::uint8_t>;

}  // namespace ppdnmf::crypto

#endif  // PPDNMF_CRYPTO_SECRET_H_
