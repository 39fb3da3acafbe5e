#include "host/thread_pool.h"

#include "base/result.h"

namespace ppdnmf {

ThreadPool::ThreadPool(std::size_t threads) {
  PPDNMF_CHECK(threads >= 1);
  workers_.reserve(threads - 1);
  for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  begin_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::for_each(std::size_t count, const std::function<void(std::size_t)>& task) {
  {
    const std::lock_guard lock(mutex_);
    PPDNMF_CHECK(task_ == nullptr);
    task_ = &task;
    count_ = count;
    next_ = 0;
    busy_ = workers_.size();
    ++generation_;
  }
  begin_.notify_all();
  work();
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
  task_ = nullptr;
}

void ThreadPool::work() {
  for (std::size_t i = next_++; i < count_; i = next_++) (*task_)(i);
}

void ThreadPool::serve() {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return closing_ || generation_ != seen; });
      if (closing_) return;
      seen = generation_;
    }
    work();
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) end_.notify_one();
  }
}

}  // namespace ppdnmf
