// Memory that several processes of one machine see.
#ifndef PPDNMF_HOST_COMMON_MEMORY_H_
#define PPDNMF_HOST_COMMON_MEMORY_H_

#include <cstddef>
#include <string>

#include <ppdnmf/base/result.h>

namespace ppdnmf::host {

// Somebody makes it, others open it by its name, and then it forgets the name: it ends with the last process that has
// it, however that ends. All of it is there from the beginning: to write to it cannot fail.
class CommonMemory {
 public:
  // New, all zero. Fails with kFile if the machine does not have so much for this.
  [[nodiscard]] static Result<CommonMemory> create(std::size_t bytes);
  // What another process of this user made, with this size.
  [[nodiscard]] static Result<CommonMemory> open(const std::string& name, std::size_t bytes);
  CommonMemory(CommonMemory&& other) noexcept;
  CommonMemory& operator=(CommonMemory&&) = delete;
  CommonMemory(const CommonMemory&) = delete;
  CommonMemory& operator=(const CommonMemory&) = delete;
  ~CommonMemory();

  [[nodiscard]] const std::string& name() const { return name_; }
  // Nobody opens it from now on.
  void forget_name();
  [[nodiscard]] void* data() const { return data_; }  // begins where a page does
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  CommonMemory(std::string name, bool own, void* data, std::size_t bytes);

  std::string name_;
  bool named_by_us_;
  void* data_;
  std::size_t bytes_;
};

}  // namespace ppdnmf::host

#endif  // PPDNMF_HOST_COMMON_MEMORY_H_
