// Many independent pieces of work on all cores, with a checkpoint, a progress line and Ctrl-C.
#ifndef PPDNMF_APPS_EXPERIMENT_TASKS_H_
#define PPDNMF_APPS_EXPERIMENT_TASKS_H_

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/experiment/trial.h>

namespace ppdnmf::app {

// Its result as bytes, or nothing if it was stopped. Called on any thread, together with others.
using Task = std::function<Result<std::optional<Bytes>>(const experiment::StopQuestion& stop)>;

struct TaskOptions {
  std::filesystem::path out;  // where checkpoint.bin is left
  Digest key{};               // a checkpoint with another key is refused
  bool resume = false;
  bool quiet = false;
  std::size_t threads = 1;
};

// The results in the order of the tasks, whatever the number of threads and however often it was interrupted. Fails
// with kInterrupted (then a checkpoint with the results so far is there), with the error of the first failing task, or
// as read_checkpoint and write_checkpoint do.
[[nodiscard]] Result<std::vector<Bytes>> run_tasks(const std::vector<Task>& tasks, const TaskOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_EXPERIMENT_TASKS_H_
