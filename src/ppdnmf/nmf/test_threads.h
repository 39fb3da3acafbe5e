// Threads for tests of rooms that may not start any themselves.
#ifndef PPDNMF_NMF_TEST_THREADS_H_
#define PPDNMF_NMF_TEST_THREADS_H_

#include <thread>
#include <vector>

#include <ppdnmf/base/executor.h>

namespace ppdnmf::nmf {

// Every task on a thread of its own, the last one first.
class TestThreads final : public Executor {
 public:
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) override {
    std::vector<std::thread> threads;
    for (std::size_t i = count; i > 0; --i) threads.emplace_back(task, i - 1);
    for (std::thread& thread : threads) thread.join();
  }
  [[nodiscard]] std::size_t threads() const override { return 4; }
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_TEST_THREADS_H_
