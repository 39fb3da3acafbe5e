#include "apps/ppdnmf/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ppdnmf::app {

LiveLine::LiveLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

void LiveLine::show(const std::string& text) {
  if (quiet_) return;
  if (!terminal_) {
    fmt::print(stderr, "{}\n", text);
    return;
  }
  fmt::print(stderr, "\r\x1b[K{}", text);
  (void)std::fflush(stderr);
  open_ = true;
}

void LiveLine::end() {
  if (open_) (void)std::fputc('\n', stderr);
  open_ = false;
}

Progress::Progress(bool quiet, int planned, bool network) : live_(quiet), planned_(planned), network_(network) {}

void Progress::show(const report::HistoryRow& row) {
  row_ = row;
  const int every = std::max(1, planned_ / 10);
  if (live_.is_terminal() || row.iteration % every == 0 || row.iteration == planned_) live_.show(line());
}

void Progress::advance(std::uint64_t done, std::uint64_t planned, double seconds) {
  if (first_seconds_ < 0) {
    first_done_ = done;
    first_seconds_ = seconds;
  }
  if (done == done_) return;
  const bool first = done_ == 0 && done == first_done_ + 1;
  done_ = done;
  planned_units_ = planned;
  seconds_ = seconds;
  constexpr double kWorthALine = 1;  // a log hears of the first unit if units take long
  if (live_.is_terminal() || (first && seconds - first_seconds_ > kWorthALine)) live_.show(line());
}

std::string Progress::line() const {
  std::string text = fmt::format("iteration {}/{}", row_.iteration, planned_);
  if (row_.iteration > 0) text += fmt::format("  error {:.5f}", row_.relative_error);
  if (network_) {
    if (row_.iteration > 0 && !std::isnan(row_.disagreement))
      text += fmt::format("  disagreement {:.1e}", row_.disagreement);
    text += fmt::format("  round {}/{}  {:.1f} MB", done_, planned_units_, static_cast<double>(row_.bytes) / 1e6);
  }
  text += fmt::format("  {:.1f} s", seconds_);
  if (done_ > first_done_ && done_ < planned_units_) {
    const double pace = (seconds_ - first_seconds_) / static_cast<double>(done_ - first_done_);
    text += fmt::format(", {:.0f} s left", pace * static_cast<double>(planned_units_ - done_));
  }
  return text;
}

}  // namespace ppdnmf::app
