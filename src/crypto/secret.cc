#include "crypto/secret.h"

#include <openssl/crypto.h>

#include <cstring>
#include <new>
#include <utility>

namespace ppdnmf {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

void wipe(void* data, std::size_t size) {
  if (size > 0) OPENSSL_cleanse(data, size);
}

SecretWords::SecretWords(std::size_t size) : size_(size) {
  if (size == 0) return;
  words_ = static_cast<std::uint64_t*>(::operator new(size * sizeof(std::uint64_t), kAlignment));
  std::memset(words_, 0, size * sizeof(std::uint64_t));
}

SecretWords::SecretWords(SecretWords&& other) noexcept
    : words_(std::exchange(other.words_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SecretWords& SecretWords::operator=(SecretWords&& other) noexcept {
  std::swap(words_, other.words_);
  std::swap(size_, other.size_);
  return *this;
}

SecretWords::~SecretWords() {
  if (words_ == nullptr) return;
  wipe(words_, size_ * sizeof(std::uint64_t));
  ::operator delete(words_, kAlignment);
}

}  // namespace ppdnmf
