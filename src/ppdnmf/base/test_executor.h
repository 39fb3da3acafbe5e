// An executor for tests of work in parts.
#ifndef PPDNMF_BASE_TEST_EXECUTOR_H_
#define PPDNMF_BASE_TEST_EXECUTOR_H_

#include <ppdnmf/base/executor.h>

namespace ppdnmf {

// Begins with the last task, as if there were as many threads as tasks and the first of them were the slowest.
class Backwards final : public Executor {
 public:
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) override {
    ++calls;
    for (std::size_t i = count; i-- > 0;) task(i);
  }
  [[nodiscard]] std::size_t threads() const override { return 2; }
  int calls = 0;
};

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_TEST_EXECUTOR_H_
