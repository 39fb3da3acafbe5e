// Pieces of h5_file.h that do not need the library's header.
#ifndef PPDNMF_CONVERT_INTERNAL_H5_HANDLE_H_
#define PPDNMF_CONVERT_INTERNAL_H5_HANDLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ppdnmf::convert::internal {

// What the library calls by a number, closed when it goes.
class Handle {
 public:
  using Close = int (*)(std::int64_t);
  Handle() = default;
  Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  [[nodiscard]] std::int64_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

// A dataset of a file, with its lengths.
struct Dataset {
  Handle id, space, type;
  std::string name;
  std::vector<unsigned long long> lengths;
};

// Text of a fixed length ends with the first zero byte.
inline std::string fixed_text(const char* text, std::size_t length) {
  return {text, static_cast<std::size_t>(std::find(text, text + length, '\0') - text)};
}

}  // namespace ppdnmf::convert::internal

#endif  // PPDNMF_CONVERT_INTERNAL_H5_HANDLE_H_
