// The report for people: one HTML file with its plots inside, without scripts, that needs nothing from outside.
#ifndef PPDNMF_REPORT_REPORT_H_
#define PPDNMF_REPORT_REPORT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/report/run_record.h>

namespace ppdnmf::report {

struct ReportOptions {
  std::vector<std::string> row_names;        // empty, or one for each row of X
  std::vector<std::string> component_names;  // empty, or one for each column of X; "Component 1", ... otherwise
  std::optional<io::ImageShape> image;       // X's columns are images of this shape, if height * width rows fit
  std::string gnuplot = "gnuplot";           // the program that draws
  unsigned mode = io::kModePublic;           // of the file
};

// What the run came to, in a sentence or two: how well the agents agree, how well the data are explained. Says plainly
// when the agents did not agree (disagreement > 0.1). Not escaped.
[[nodiscard]] std::string verdict(const RunRecord& record);

// Writes folder/report.html: verdict, summary, convergence, the network, an agent's neighbours with their traffic and
// outages (in its own view of a run), the columns of X (images if a shape is given,
// bars for up to 100 rows, else each component's largest rows), the agents, parameters, notes. Returns notes: without
// gnuplot the report has a sentence in place of the plots, and the note says so. Fails with kFile if the file cannot be
// written, with kUsage if names do not fit X.
[[nodiscard]] Result<std::vector<std::string>> write_report(const std::filesystem::path& folder,
                                                            const RunRecord& record, const Matrix& X,
                                                            const ReportOptions& options = {});

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_REPORT_H_
