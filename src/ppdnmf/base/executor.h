// Threads are lent, not owned: code from base to sim hands its independent pieces of work to an Executor, and whoever
// runs the process decides how many threads serve it. Results must not depend on that number.
#ifndef PPDNMF_BASE_EXECUTOR_H_
#define PPDNMF_BASE_EXECUTOR_H_

#include <cstddef>
#include <functional>

namespace ppdnmf {

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  Executor(Executor&&) = delete;
  Executor& operator=(Executor&&) = delete;
  virtual ~Executor() = default;

  // Calls task(0) ... task(count - 1), each once, in any order, possibly at the same time; returns when all are done.
  // Tasks must not throw. They may call for_each of the same executor.
  virtual void for_each(std::size_t count, const std::function<void(std::size_t)>& task) = 0;
  [[nodiscard]] virtual std::size_t threads() const = 0;
};

// One after the other, on the caller's thread.
class SerialExecutor final : public Executor {
 public:
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) override {
    for (std::size_t i = 0; i < count; ++i) task(i);
  }
  [[nodiscard]] std::size_t threads() const override { return 1; }
};

// For whoever was lent no threads. Has no state, so it may be shared between threads.
[[nodiscard]] inline Executor& serial_executor() {
  static SerialExecutor executor;
  return executor;
}

}  // namespace ppdnmf

#endif  // PPDNMF_BASE_EXECUTOR_H_
