#include <ppdnmf/host/thread_pool.h>

#include <algorithm>
#include <chrono>

#include <ppdnmf/base/result.h>

namespace ppdnmf::host {
namespace {

// Looks again and again for a moment, and leaves the processor to whoever else wants it meanwhile.
template <typename Found>
void look_for(const Found& found) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kMoment = std::chrono::microseconds(100);
  const Clock::time_point end = Clock::now() + kMoment;
  while (!found() && Clock::now() < end) std::this_thread::yield();
}

}  // namespace

std::size_t threads_or_all(std::size_t threads) {
  return threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

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
  work_came_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::for_each(std::size_t count, const std::function<void(std::size_t)>& task) {
  if (count == 0) return;
  Job job{task, count};
  std::unique_lock lock(mutex_);
  open_.push_back(&job);
  ++waiting_;
  if (count > 1) work_came_.notify_all();
  while (job.begun < job.count) run_one(job, lock);
  // Not helping others meanwhile: what is left of this job is shorter than another's task may be.
  if (job.ended < job.count) {
    lock.unlock();
    look_for([&] { return job.ended == job.count; });
    lock.lock();
  }
  job_ended_.wait(lock, [&] { return job.ended == job.count; });
}

// Runs the job's next task without the lock.
void ThreadPool::run_one(Job& job, std::unique_lock<std::mutex>& lock) {
  const std::size_t i = job.begun++;
  if (job.begun == job.count) {
    open_.erase(std::find(open_.begin(), open_.end(), &job));
    --waiting_;
  }
  lock.unlock();
  job.task(i);
  lock.lock();
  if (++job.ended == job.count) job_ended_.notify_all();
}

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (open_.empty() && !closing_) {
      lock.unlock();
      look_for([&] { return waiting_ > 0; });
      lock.lock();
    }
    work_came_.wait(lock, [&] { return closing_ || !open_.empty(); });
    if (closing_) return;
    run_one(*open_.front(), lock);  // the oldest job has the largest tasks
  }
}

}  // namespace ppdnmf::host
