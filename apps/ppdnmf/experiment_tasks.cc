#include "apps/ppdnmf/experiment_tasks.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "apps/ppdnmf/progress.h"
#include <ppdnmf/host/interrupt.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/run/checkpoint.h>

namespace ppdnmf::app {
namespace {

constexpr double kCheckpointEverySeconds = 30;

using Results = std::vector<std::optional<Bytes>>;

Bytes encode_results(const Results& results) {
  ByteWriter out;
  out.put<std::uint64_t>(results.size());
  for (const auto& result : results) {
    out.put<std::uint8_t>(result ? 1 : 0);
    if (result) out.put_bytes(*result);
  }
  return out.take();
}

Status decode_results(ByteSpan bytes, Results& results) {
  ByteReader in(bytes);
  if (in.get<std::uint64_t>() != results.size())
    return error(ErrorCode::kFile, "the checkpoint holds a different number of runs");
  for (auto& result : results) {
    if (in.get<std::uint8_t>() != 0) result = in.get_bytes();
  }
  return in.status();
}

// What tasks on several threads share; every member function locks.
class Board {
 public:
  Board(const TaskOptions& options, Results results, double seconds_before)
      : options_(options),
        results_(std::move(results)),
        watch_(seconds_before),
        last_saved_(watch_.seconds()),
        line_(options.quiet) {
    done_ = done_before_ = static_cast<std::size_t>(
        std::count_if(results_.begin(), results_.end(), [](const auto& r) { return r.has_value(); }));
    started_ = watch_.seconds();
  }

  [[nodiscard]] bool stopping() const { return host::interrupted() || failed_; }

  void take(std::size_t i, Result<std::optional<Bytes>> outcome) {
    const std::lock_guard lock(mutex_);
    if (!outcome) {
      if (!failed_ || i < failed_at_) {
        failed_at_ = i;
        failure_ = std::move(outcome).error();
      }
      failed_ = true;
      return;
    }
    if (!*outcome) return;
    results_[i] = **std::move(outcome);
    ++done_;
    show();
    if (watch_.seconds() - last_saved_ > kCheckpointEverySeconds) {
      if (auto saved = save(); !saved && !failed_) {
        failed_at_ = i;
        failure_ = std::move(saved).error();
        failed_ = true;
      }
    }
  }

  // After all tasks.
  Result<std::vector<Bytes>> finish() {
    line_.end();
    if (failed_) return tl::unexpected(failure_);
    if (done_ < results_.size()) {
      PPDNMF_TRY_STATUS(save());
      return tl::unexpected(run::interrupted_error(options_.out));
    }
    std::vector<Bytes> all;
    all.reserve(results_.size());
    for (auto& result : results_) all.push_back(*std::move(result));
    return all;
  }

 private:
  Status save() {
    last_saved_ = watch_.seconds();
    return run::write_checkpoint(options_.out, options_.key, {{}, watch_.seconds(), encode_results(results_)});
  }

  void show() {
    const std::size_t every = std::max<std::size_t>(1, results_.size() / 10);
    if (!line_.is_terminal() && done_ % every != 0 && done_ != results_.size()) return;
    std::string text = fmt::format("run {}/{}  {:.1f} s", done_, results_.size(), watch_.seconds());
    if (done_ > done_before_ && done_ < results_.size()) {
      const double pace = (watch_.seconds() - started_) / static_cast<double>(done_ - done_before_);
      text += fmt::format(", {:.0f} s left", pace * static_cast<double>(results_.size() - done_));
    }
    line_.show(text);
  }

  const TaskOptions& options_;
  std::mutex mutex_;
  Results results_;
  Stopwatch watch_;
  double last_saved_;
  double started_ = 0;
  std::size_t done_ = 0;
  std::size_t done_before_ = 0;  // by an earlier process
  LiveLine line_;
  std::atomic<bool> failed_ = false;
  std::size_t failed_at_ = 0;
  Error failure_;
};

}  // namespace

Result<std::vector<Bytes>> run_tasks(const std::vector<Task>& tasks, const TaskOptions& options) {
  Results results(tasks.size());
  double seconds_before = 0;
  if (options.resume) {
    PPDNMF_TRY(const run::Checkpoint checkpoint, run::read_checkpoint(options.out, options.key));
    PPDNMF_TRY_STATUS(decode_results(checkpoint.state, results));
    seconds_before = checkpoint.seconds_total;
  }
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!results[i]) left.push_back(i);
  }
  host::catch_interrupts();
  Board board(options, std::move(results), seconds_before);
  host::ThreadPool pool(options.threads);
  pool.for_each(left.size(), [&](std::size_t k) {
    if (board.stopping()) return;
    board.take(left[k], tasks[left[k]]([&] { return board.stopping(); }));
  });
  return board.finish();
}

}  // namespace ppdnmf::app
