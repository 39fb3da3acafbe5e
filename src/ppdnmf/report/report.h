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
#include <ppdnmf/report/show.h>

namespace ppdnmf::report {

struct ReportOptions {
  std::vector<std::string> row_names{};  // empty, or one for each row of X
  std::optional<io::ImageShape> image;   // X's columns are images of this shape, if height * width rows fit
  Show show = Show::kAuto;               // what X's columns are drawn as
  Matrix matched{};                      // empty, or beside each column of X the one that it was matched with, or zeros
  std::string gnuplot = "gnuplot";       // the program that draws
  unsigned mode = io::kModePublic;       // of the file
};

// What the run came to, in a sentence or two: how well the agents agree, how well the data are explained. Says plainly
// when the agents did not agree (disagreement > 0.1). Not escaped.
[[nodiscard]] std::string verdict(const RunRecord& record);

// Writes folder/report.html: verdict, summary, convergence, the network, an agent's neighbours with their traffic and
// outages (in its own view of a run), the columns of X (report/show.h) under the record's names with their matches and
// stability, exposures, the agents, parameters, notes. Returns notes: without gnuplot the report has a sentence in
// place of the plots, and the note says so. Fails with kFile if the file cannot be written, with kUsage if names do not
// fit X, and as check_show does.
[[nodiscard]] Result<std::vector<std::string>> write_report(const std::filesystem::path& folder,
                                                            const RunRecord& record, const Matrix& X,
                                                            const ReportOptions& options = {});

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_REPORT_H_
