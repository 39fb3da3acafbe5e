// Several processes as threads of one: for tests of this room.
#ifndef PPDNMF_SPREAD_TEST_TEAM_H_
#define PPDNMF_SPREAD_TEST_TEAM_H_

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/spread/crew.h>
#include <ppdnmf/spread/part.h>

namespace ppdnmf::spread {

class TestQueue {
 public:
  void push(ByteSpan bytes) {
    const std::lock_guard lock(mutex_);
    messages_.emplace_back(bytes.begin(), bytes.end());
    longest_ = std::max(longest_, bytes.size());
    came_.notify_one();
  }
  // Of all messages so far, in bytes.
  [[nodiscard]] std::size_t longest() {
    const std::lock_guard lock(mutex_);
    return longest_;
  }
  [[nodiscard]] Bytes pop() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return !messages_.empty(); });
    Bytes bytes = std::move(messages_.front());
    messages_.pop_front();
    return bytes;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Bytes> messages_;
  std::size_t longest_ = 0;
};

class TestLine final : public Line {
 public:
  struct Queues {
    TestQueue tasks, answers;
  };
  TestLine(std::vector<Queues>& queues, int process, bool one_machine)
      : queues_(queues), process_(process), one_machine_(one_machine) {}
  [[nodiscard]] int processes() const override { return static_cast<int>(queues_.size()); }
  [[nodiscard]] bool one_machine() const override { return one_machine_; }
  // All, but for the third of more than four.
  [[nodiscard]] std::vector<std::uint8_t> at_work() const override {
    std::vector<std::uint8_t> at_work(queues_.size(), 1);
    if (at_work.size() > 4) at_work[2] = 0;
    return at_work;
  }
  void tell_all(ByteSpan task) override {
    for (int process = 1; process < processes(); ++process) tell(process, task);
  }
  void tell(int process, ByteSpan task) override { of(process).tasks.push(task); }
  [[nodiscard]] Bytes hear(int process) override { return of(process).answers.pop(); }
  [[nodiscard]] Bytes next_task() override { return of(process_).tasks.pop(); }
  void answer(ByteSpan answer) override { of(process_).answers.push(answer); }

 private:
  [[nodiscard]] Queues& of(int process) { return queues_[static_cast<std::size_t>(process)]; }
  std::vector<Queues>& queues_;
  int process_;
  bool one_machine_;
};

// `version`: of process 1 and the others.
class TestTeam {
 public:
  explicit TestTeam(int processes, std::size_t threads = 1, const std::string& version = "1", bool one_machine = false)
      : queues_(static_cast<std::size_t>(processes)), line_(queues_, 0, one_machine), pool_(threads) {
    for (int process = 1; process < processes; ++process) {
      others_.emplace_back([this, process, threads, version] {
        TestLine line(queues_, process, line_.one_machine());
        std::unique_ptr<host::ThreadPool> pool;
        serve(line, process, version, [&](std::size_t) -> Executor& {
          pool = std::make_unique<host::ThreadPool>(threads);
          return *pool;
        });
      });
    }
    crew_ = std::make_unique<Crew>(line_, pool_, "1", threads);
  }
  TestTeam(const TestTeam&) = delete;
  TestTeam& operator=(const TestTeam&) = delete;
  TestTeam(TestTeam&&) = delete;
  TestTeam& operator=(TestTeam&&) = delete;
  ~TestTeam() {
    crew_.reset();
    for (std::thread& other : others_) other.join();
  }
  [[nodiscard]] Crew& crew() { return *crew_; }
  [[nodiscard]] Executor& executor() { return pool_; }
  [[nodiscard]] std::size_t longest_message() {
    std::size_t longest = 0;
    for (TestLine::Queues& queues : queues_)
      longest = std::max({longest, queues.tasks.longest(), queues.answers.longest()});
    return longest;
  }

 private:
  std::vector<TestLine::Queues> queues_;
  TestLine line_;
  host::ThreadPool pool_;
  std::vector<std::thread> others_;
  std::unique_ptr<Crew> crew_;
};

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_TEST_TEAM_H_
