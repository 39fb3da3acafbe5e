// The demo's page: one picture and four sentences, then how to do it between organisations.
#ifndef PPDNMF_EXPERIMENT_HOSPITALS_PAGE_H_
#define PPDNMF_EXPERIMENT_HOSPITALS_PAGE_H_

#include <filesystem>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/experiment/hospitals.h>
#include <ppdnmf/report/gnuplot.h>

namespace ppdnmf::experiment {

// A row for each signature, a column for what was put into the data and for everybody who looked: what was found in
// colour, what remains for a signature that was not found in grey, with its cosine.
[[nodiscard]] report::Plot hospitals_plot(const HospitalsOutcome& outcome);

// What anybody can type next, `folder` being where the demo's files are.
struct NextStep {
  std::string why;                 // a sentence, plain text
  std::vector<std::string> lines;  // for a shell
};
[[nodiscard]] std::vector<NextStep> next_steps(const std::filesystem::path& folder);

// The files of a demo: report.html, demo.png (the picture alone), A.csv, B.csv and C.csv (a hospital's columns each),
// signatures.csv and channels.txt (the rows' names). Returns notes: without gnuplot there is no picture, and the note
// says so. Fails with kFile.
[[nodiscard]] Result<std::vector<std::string>> write_hospitals(const std::filesystem::path& folder,
                                                               const HospitalData& data,
                                                               const HospitalsOutcome& outcome,
                                                               const std::string& version,
                                                               const std::string& gnuplot = "gnuplot");

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_HOSPITALS_PAGE_H_
