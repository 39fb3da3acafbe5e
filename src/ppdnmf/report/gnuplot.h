// Plots made by the program gnuplot.
#ifndef PPDNMF_REPORT_GNUPLOT_H_
#define PPDNMF_REPORT_GNUPLOT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::report {

// One plot. `script` must be made of fixed text and numbers only; names that come from users belong into `data`, which
// gnuplot reads as the file 'data' and never executes. Use gnuplot_text for them.
struct Plot {
  std::string script;
  std::string data;
  int width = 640;
  int height = 360;
};

// A cell of `data`: in double quotes, with nothing inside that gnuplot would take for a quote, a line end or an escape.
[[nodiscard]] std::string gnuplot_text(std::string_view text);

enum class PlotFormat : std::uint8_t { kSvg, kPng };

// The plots in their order, by one run of `program` without a shell, in a temporary folder that is removed.
// Fails with kFile if the program is missing, fails, or has not ended after a minute.
[[nodiscard]] Result<std::vector<Bytes>> draw_plots(const std::vector<Plot>& plots,
                                                    const std::string& program = "gnuplot",
                                                    PlotFormat format = PlotFormat::kSvg);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_GNUPLOT_H_
