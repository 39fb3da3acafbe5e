// How a run talks to whoever started it: a terminal, a script or a test.
#ifndef PPDNMF_RUN_HOOKS_H_
#define PPDNMF_RUN_HOOKS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <ppdnmf/base/result.h>
#include <ppdnmf/report/run_record.h>

namespace ppdnmf::run {

// Who asks for a run, as its record says it.
struct Caller {
  std::string command;  // "simulate", "NMF", ...
  std::string title;
  std::string version;
  // How it spells the settings that sentences name (protocol/settings_table.h); empty: as they stand.
  std::function<std::string(std::string_view sentence)> spell{};
};

enum class Wish : std::uint8_t {
  kGoOn,
  kPause,  // leave off here; a run that keeps checkpoints can be resumed
  kEnd,    // end the run properly: its result so far is wanted
};

// Where checkpoint.bin is written while a run lasts, and whether it begins with the one that is there.
struct CheckpointPlace {
  std::filesystem::path folder;  // empty: no checkpoints
  bool resume = false;
  std::optional<double> every_seconds{};  // of factorisations: also after an iteration if the last one is so old
};

// All are called on the thread that runs; any may be empty.
struct Hooks {
  // Everything is checked, nothing is computed or written: the record has what is known before a run. A failure is the
  // run's.
  std::function<Status(const report::RunRecord& record)> ready;
  // After each iteration.
  std::function<void(const report::HistoryRow& row)> iteration;
  // Between units of work, `done` of `planned` since the start of the run, which has taken so many seconds.
  std::function<void(std::uint64_t done, std::uint64_t planned, double seconds)> advance;
  // Asked between units of work.
  std::function<Wish()> wish;
  CheckpointPlace checkpoint;
};

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_HOOKS_H_
