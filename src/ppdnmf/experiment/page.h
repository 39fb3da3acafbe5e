// experiment.html and the files of the figures.
#ifndef PPDNMF_EXPERIMENT_PAGE_H_
#define PPDNMF_EXPERIMENT_PAGE_H_

#include <filesystem>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/experiment/exhibit.h>
#include <ppdnmf/experiment/summary.h>

namespace ppdnmf::experiment {

struct ExperimentPage {
  std::string title;
  std::string lead;                       // what it came to
  bool warn = false;                      // the lead needs attention: the data are not the paper's
  std::vector<std::string> notes;         // sentences
  std::vector<VariantSummary> summaries;  // a table of where each algorithm ended; may be empty
  std::vector<Exhibit> exhibits;
  std::string footer;
};

// A box of a page with its title, which is plain text; `html` as it is.
[[nodiscard]] std::string page_section(const std::string& title, const std::string& html);

// The page with SVG pictures inside. `svg` is empty (the page then says that gnuplot is missing) or has one for each
// exhibit.
[[nodiscard]] std::string page_html(const ExperimentPage& page, const std::vector<Bytes>& svg);

// name.csv, name.svg and name.png of every exhibit and experiment.html. Returns notes: without gnuplot there are no
// pictures, and the note says so. Fails with kFile if a file cannot be written.
[[nodiscard]] Result<std::vector<std::string>> write_page(const std::filesystem::path& folder,
                                                          const ExperimentPage& page,
                                                          const std::string& gnuplot = "gnuplot");

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_PAGE_H_
