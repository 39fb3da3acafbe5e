// A fixed number of threads that serve one for_each at a time.
#ifndef PPDNMF_HOST_THREAD_POOL_H_
#define PPDNMF_HOST_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/executor.h"

namespace ppdnmf {

class ThreadPool final : public Executor {
 public:
  // The caller's thread works too, so `threads` - 1 are started. threads >= 1 (checked).
  explicit ThreadPool(std::size_t threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ThreadPool(ThreadPool&&) = delete;
  ThreadPool& operator=(ThreadPool&&) = delete;
  ~ThreadPool() override;

  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) override;
  [[nodiscard]] std::size_t threads() const override { return workers_.size() + 1; }

 private:
  void serve();
  void work();

  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable end_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::size_t busy_ = 0;
  std::uint64_t generation_ = 0;
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace ppdnmf

#endif  // PPDNMF_HOST_THREAD_POOL_H_
