// How a run is going: one line that rewrites itself on a terminal, a plain line now and then in a log. On standard
// error.
#ifndef PPDNMF_APPS_PROGRESS_H_
#define PPDNMF_APPS_PROGRESS_H_

#include <cstdint>
#include <string>

#include <ppdnmf/report/run_record.h>
#include <ppdnmf/run/stopwatch.h>

namespace ppdnmf::app {

using run::Stopwatch;

// One line of text that rewrites itself on a terminal; a plain line each time otherwise. Silent if `quiet`.
class LiveLine {
 public:
  explicit LiveLine(bool quiet);
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;
  LiveLine(LiveLine&&) = delete;
  LiveLine& operator=(LiveLine&&) = delete;
  ~LiveLine() { end(); }

  [[nodiscard]] bool is_terminal() const { return terminal_; }
  void show(const std::string& text);
  void end();

 private:
  bool quiet_;
  bool terminal_;
  bool open_ = false;
};

class Progress {
 public:
  // `planned`: iterations if nothing ends the run early. `network`: also disagreement, rounds and bytes.
  Progress(bool quiet, int planned, bool network);

  // After an iteration.
  void show(const report::HistoryRow& row);
  // Between units of work, `done` of `planned` in all since the start of the run: the time left follows from the pace
  // of this process, from the first unit on.
  void advance(std::uint64_t done, std::uint64_t planned, double seconds);

 private:
  [[nodiscard]] std::string line() const;

  LiveLine live_;
  int planned_;
  bool network_;
  report::HistoryRow row_;
  std::uint64_t first_done_ = 0;  // what an earlier process had done
  double first_seconds_ = -1;
  std::uint64_t done_ = 0;
  std::uint64_t planned_units_ = 0;
  double seconds_ = 0;
};

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_PROGRESS_H_
