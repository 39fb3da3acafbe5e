#include "apps/ppdnmf/run_convert.h"

#include <fmt/format.h>

#include <optional>

#include "apps/ppdnmf/progress.h"
#include <ppdnmf/convert/convert.h>
#include <ppdnmf/host/interrupt.h>

namespace ppdnmf::app {
namespace {

// "[#########...........]  45 %  12 s, 15 s left"
std::string bar(double part, double seconds) {
  constexpr int kWidth = 30;
  const int full = static_cast<int>(part * kWidth);
  std::string text =
      fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  {:.0f} s", "", full, "", kWidth - full, 100 * part, seconds);
  constexpr double kEnoughToTell = 0.01;
  if (part > kEnoughToTell && part < 1) text += fmt::format(", {:.0f} s left", seconds * (1 - part) / part);
  return text;
}

}  // namespace

Status run_convert(const ConvertOptions& options) {
  host::catch_interrupts();
  std::optional<LiveLine> line(std::in_place, options.quiet);
  const Stopwatch watch;
  double shown = -1;
  convert::ConvertRequest request{options.from, options.to, options.force, options.empty_is_nan, {}};
  request.progress = [&](double part) -> Status {
    if (host::interrupted()) return error(ErrorCode::kInterrupted, "interrupted; nothing was written");
    constexpr double kEverySeconds = 0.2;
    if (line->is_terminal() && watch.seconds() - shown > kEverySeconds) {
      shown = watch.seconds();
      line->show(bar(part, shown));
    }
    return {};
  };
  PPDNMF_TRY(const convert::Converted converted, convert::convert(request));
  line.reset();
  if (options.quiet) return {};
  fmt::print("{} rows, {} columns: {}\n", converted.rows, converted.columns, options.to);
  for (const auto& names : converted.names) fmt::print("names: {}\n", names.string());
  return {};
}

}  // namespace ppdnmf::app
