// Something that gRPC is doing for us; its address is the tag that comes back through the completion queue.
#ifndef PPDNMF_NET_INTERNAL_OPERATION_H_
#define PPDNMF_NET_INTERNAL_OPERATION_H_

#include <functional>
#include <utility>

#include <ppdnmf/base/result.h>

namespace ppdnmf::net {

class Operation {
 public:
  explicit Operation(std::function<void(bool)> then) : then_(std::move(then)) {}
  ~Operation();  // not pending (checked)
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  Operation(Operation&&) = delete;
  Operation& operator=(Operation&&) = delete;

  // The tag to begin with. One at a time (checked).
  [[nodiscard]] void* begin();
  // The tag came back.
  static void complete(void* tag, bool ok) {
    auto& operation = *static_cast<Operation*>(tag);
    operation.pending_ = false;
    operation.then_(ok);
  }
  // The tag will not come back.
  void abandon() { pending_ = false; }
  [[nodiscard]] bool pending() const { return pending_; }

 private:
  std::function<void(bool)> then_;
  bool pending_ = false;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_OPERATION_H_
