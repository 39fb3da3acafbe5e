#include "apps/ppdnmf/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace ppdnmf {

Progress::Progress(bool quiet, int planned, bool network)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), planned_(planned), network_(network) {}

Progress::~Progress() {
  if (line_open_) (void)std::fputc('\n', stderr);
}

void Progress::show(const HistoryRow& row) {
  if (first_bcd_ == 0) {
    first_bcd_ = row.bcd;
    first_seconds_ = row.seconds;
  }
  if (quiet_) return;
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K{}", line(row));
    (void)std::fflush(stderr);
    line_open_ = true;
    return;
  }
  const int every = std::max(1, planned_ / 10);
  if (row.bcd % every == 0 || row.bcd == planned_) fmt::print(stderr, "{}\n", line(row));
}

std::string Progress::line(const HistoryRow& row) const {
  std::string text = fmt::format("BCD {}/{}  error {:.5f}", row.bcd, planned_, row.relative_error);
  if (network_) {
    text += fmt::format("  disagreement {:.1e}  exchanges {}  {:.1f} MB", row.disagreement, row.exchanges,
                        static_cast<double>(row.bytes) / 1e6);
  }
  text += fmt::format("  {:.1f} s", row.seconds);
  if (row.bcd > first_bcd_ && row.bcd < planned_) {
    const double pace = (row.seconds - first_seconds_) / (row.bcd - first_bcd_);
    text += fmt::format(", {:.0f} s left", pace * (planned_ - row.bcd));
  }
  return text;
}

}  // namespace ppdnmf
