#include "background.h"

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "errors.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

constexpr std::chrono::milliseconds kBetweenQuestions{50};

// How much work was left to itself and still runs. Never destroyed: its last user may be a thread at exit.
struct LeftWork {
  std::mutex mutex;
  std::condition_variable changed;
  int running = 0;
};
LeftWork& left_work() {
  static auto* const instance = new LeftWork;
  return *instance;
}

// Shared by the two threads; whichever is the last to let go frees it, and with it all that the work holds.
class Shared final : public Monitor {
 public:
  Shared(Work work, bool listens) : work_(std::move(work)), listens_(listens) {}

  void run() {
    Status outcome;
    std::exception_ptr thrown;
    try {
      outcome = work_(*this);
    } catch (...) {  // no memory, most likely
      thrown = std::current_exception();
    }
    work_ = nullptr;
    const std::lock_guard lock(mutex_);
    outcome_ = std::move(outcome);
    thrown_ = thrown;
    done_ = true;
    changed_.notify_all();
  }

  [[nodiscard]] bool given_up() const override { return given_up_; }

  [[nodiscard]] bool report(const report::HistoryRow& row) override {
    if (!listens_) return false;
    std::unique_lock lock(mutex_);
    row_ = row;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !row_ || given_up_; });
    return end_here_ || given_up_;
  }

  // --- the caller's side ---

  // Waits a little for news. False: the work is done.
  bool wait(std::optional<report::HistoryRow>& row) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kBetweenQuestions, [&] { return done_ || row_; });
    row = row_;
    return !done_;
  }
  void answer(bool end_here) {
    const std::lock_guard lock(mutex_);
    end_here_ = end_here;
    row_.reset();
    changed_.notify_all();
  }
  void give_up() {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    changed_.notify_all();
  }
  // After the work is done.
  void raise_what_went_wrong() {
    if (thrown_) std::rethrow_exception(thrown_);
    require(outcome_);
  }

 private:
  Work work_;
  const bool listens_;
  std::atomic<bool> given_up_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<report::HistoryRow> row_;
  bool end_here_ = false;
  bool done_ = false;
  Status outcome_;
  std::exception_ptr thrown_;
};

void leave(std::thread thread, std::shared_ptr<Shared> shared) {
  {
    const std::lock_guard lock(left_work().mutex);
    ++left_work().running;
  }
  // Somebody has to see the thread end; it costs a second thread only for what was given up.
  std::thread([thread = std::move(thread), shared = std::move(shared)]() mutable {
    thread.join();
    shared.reset();
    const std::lock_guard lock(left_work().mutex);
    --left_work().running;
    left_work().changed.notify_all();
  }).detach();
}

// Answers rows and asks for signals until the work is done.
void attend(Shared& shared, const Listener& listener) {
  for (;;) {
    std::optional<report::HistoryRow> row;
    bool running = true;
    {
      const py::gil_scoped_release unlocked;
      running = shared.wait(row);
    }
    if (!running) return;
    if (row) shared.answer(listener(*row));
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

}  // namespace

void run_in_background(Work work, OnGivingUp on_giving_up, const Listener& listener) {
  auto shared = std::make_shared<Shared>(std::move(work), static_cast<bool>(listener));
  std::thread thread([shared] { shared->run(); });
  try {
    attend(*shared, listener);
  } catch (...) {
    shared->give_up();
    if (on_giving_up == OnGivingUp::kLeaveIt) {
      leave(std::move(thread), std::move(shared));
    } else {
      const py::gil_scoped_release unlocked;
      thread.join();
    }
    throw;
  }
  thread.join();
  shared->raise_what_went_wrong();
}

void wait_for_left_work() {
  bool running = true;
  while (running) {
    {
      const py::gil_scoped_release unlocked;
      std::unique_lock lock(left_work().mutex);
      running = !left_work().changed.wait_for(lock, kBetweenQuestions, [] { return left_work().running == 0; });
    }
    if (running && PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

}  // namespace ppdnmf::python
