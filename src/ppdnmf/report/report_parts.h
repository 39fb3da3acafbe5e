// The sections of the report. Everything returned as text is HTML, with users' texts escaped.
#ifndef PPDNMF_REPORT_REPORT_PARTS_H_
#define PPDNMF_REPORT_REPORT_PARTS_H_

#include <string>
#include <vector>

#include <ppdnmf/report/gnuplot.h>
#include <ppdnmf/report/report.h>

namespace ppdnmf::report {

struct Figure {
  Plot plot;
  std::string alt;      // plain text
  std::string caption;  // HTML
};

// The text between two <h2>, and the plots that stand in it: each has its figure_place in `html`, in order.
struct Section {
  std::string title;
  std::string html;
  std::vector<Figure> figures;
};

[[nodiscard]] std::string figure_place(std::size_t i);
// Whether errors during the run are of columns that were divided by their size; those of agents are of data as they
// are.
[[nodiscard]] bool is_normalised(const RunRecord& record);
[[nodiscard]] bool minimises_divergence(const RunRecord& record);  // the Poisson loss

[[nodiscard]] Section summary_section(const RunRecord& record);
[[nodiscard]] Section convergence_section(const RunRecord& record);  // empty if the rank was looked for
[[nodiscard]] Section rank_section(const RunRecord& record);         // empty unless the rank was looked for
[[nodiscard]] Section network_section(const RunRecord& record);
[[nodiscard]] Section peers_section(const RunRecord& record);
[[nodiscard]] Section factor_section(const RunRecord& record, const Matrix& X, const ReportOptions& options);
[[nodiscard]] Section exposures_section(const RunRecord& record);
[[nodiscard]] Section agents_section(const RunRecord& record);
[[nodiscard]] Section parameters_section(const RunRecord& record);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_REPORT_PARTS_H_
