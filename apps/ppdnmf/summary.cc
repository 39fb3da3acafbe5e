#include "apps/ppdnmf/summary.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include <ppdnmf/report/report.h>

namespace ppdnmf::app {

void print_summary(const OutputOptions& options, const report::RunRecord& record) {
  if (options.json) {
    fmt::print("{}", report::run_json_text(record));
    return;
  }
  if (options.quiet) return;
  const auto line = [](const char* name, const std::string& value) { fmt::print("  {:<20} {}\n", name, value); };
  fmt::print("{}\n\n", report::verdict(record));
  if (record.search) line("components", fmt::format("{}: {}", record.search->rank, record.search->reason));
  line("relative error", fmt::format("{:.6f}", record.relative_error));
  if (record.agents > 1) {
    line("worst agent error", fmt::format("{:.6f}", record.worst_agent_error));
    line("disagreement", fmt::format("{:.2e}", record.disagreement));
    line("nmse (the paper's)", fmt::format("{:.6f}", record.nmse));
    line("rounds", fmt::format("{}", record.rounds));
    line("sent", fmt::format("{:.1f} MB", static_cast<double>(record.bytes_sent) / 1e6));
  }
  line("iterations", fmt::format("{} (ended by {})", record.iterations, record.stopped_because));
  line("time", fmt::format("{:.2f} s", record.seconds_total));
  line("report", (options.out / "report.html").string());
}

void print_notes(const OutputOptions& options, const report::RunRecord& record) {
  if (options.quiet) return;
  for (const std::string& note : record.notes) fmt::print(stderr, "note: {}\n", note);
}

}  // namespace ppdnmf::app
