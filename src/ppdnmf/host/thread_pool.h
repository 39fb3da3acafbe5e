// A fixed number of threads that serve every for_each of the process.
#ifndef PPDNMF_HOST_THREAD_POOL_H_
#define PPDNMF_HOST_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <ppdnmf/base/executor.h>

namespace ppdnmf::host {

// 0 stands for all processors.
[[nodiscard]] std::size_t threads_or_all(std::size_t threads);

// A for_each inside a task is served by whoever has nothing else to do: with fewer agents than threads, or when the
// last agents of a step are still at work, the idle threads help with their ciphertexts.
//
// Whoever has nothing to do looks for work a moment longer before it sleeps: an iteration is many short pieces of work
// with next to nothing in between, and to wake a thread takes as long as some of them.
class ThreadPool final : public Executor {
 public:
  // The caller's thread works too, so `threads` - 1 are started. threads >= 1 (checked).
  explicit ThreadPool(std::size_t threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ThreadPool(ThreadPool&&) = delete;
  ThreadPool& operator=(ThreadPool&&) = delete;
  ~ThreadPool() override;

  // May be called from any thread, at the same time and from inside a task.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) override;
  [[nodiscard]] std::size_t threads() const override { return workers_.size() + 1; }

 private:
  struct Job {
    const std::function<void(std::size_t)>& task;
    std::size_t count;
    std::size_t begun = 0;
    std::atomic<std::size_t> ended = 0;  // changes with the lock
  };

  void serve();
  void run_one(Job& job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable work_came_;
  std::condition_variable job_ended_;
  std::deque<Job*> open_;                 // with tasks that nobody has begun, the oldest first
  std::atomic<std::size_t> waiting_ = 0;  // open_.size(), for whoever looks without the lock
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace ppdnmf::host

#endif  // PPDNMF_HOST_THREAD_POOL_H_
