// How a run is going: one line that rewrites itself on a terminal, a plain line now and then in a log. On standard error.
#ifndef PPDNMF_APPS_PROGRESS_H_
#define PPDNMF_APPS_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "io/run_record.h"

namespace ppdnmf {

class Stopwatch {
 public:
  // `before`: seconds that an earlier process has spent on the same run.
  explicit Stopwatch(double before = 0) : before_(before), start_(std::chrono::steady_clock::now()) {}
  [[nodiscard]] double seconds() const {
    return before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double before_;
  std::chrono::steady_clock::time_point start_;
};

class Progress {
 public:
  // `planned`: BCD iterations if nothing ends the run early. `network`: also disagreement, exchanges and bytes.
  Progress(bool quiet, int planned, bool network);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;
  ~Progress();  // ends the line

  void show(const HistoryRow& row);

 private:
  [[nodiscard]] std::string line(const HistoryRow& row) const;

  bool quiet_;
  bool terminal_;
  int planned_;
  bool network_;
  bool line_open_ = false;
  int first_bcd_ = 0;  // of this process, to tell the pace
  double first_seconds_ = 0;
};

}  // namespace ppdnmf

#endif  // PPDNMF_APPS_PROGRESS_H_
