// An open file that closes itself, writing it whole, and the operating system's last error in words.
#ifndef PPDNMF_IO_DESCRIPTOR_H_
#define PPDNMF_IO_DESCRIPTOR_H_

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <ppdnmf/base/bytes.h>

namespace ppdnmf::io {

class Descriptor {
 public:
  // Negative: no file.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { (void)close(); }

  [[nodiscard]] int get() const { return number_; }
  // The number, which closes nothing any more.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  // False if the operating system reports, this late, that something was not written.
  bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// Writes all of it. False with errno set.
[[nodiscard]] bool write_all(int file, ByteSpan content);

// Makes new names in an open folder durable. File systems that cannot do this for folders say so with EINVAL; that is
// theirs to decide. False with errno set.
[[nodiscard]] bool sync_folder(int folder);

[[nodiscard]] inline std::string errno_text(int code = errno) { return std::generic_category().message(code); }

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_DESCRIPTOR_H_
