// What a run leaves in its folder.
#ifndef PPDNMF_APPS_OUTPUTS_H_
#define PPDNMF_APPS_OUTPUTS_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/run/inputs.h>
#include "apps/ppdnmf/options.h"
#include <ppdnmf/base/bytes.h>
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/run/network_record.h>

namespace ppdnmf::app {

// The folder for the results. What it had to make and nobody filled is gone again when it goes: a run that fails leaves
// nothing behind.
class OutputFolder {
 public:
  // Before anything is computed: fails with kFile if the folder holds earlier results and neither --force nor --resume
  // is given, or if it cannot be made. --resume makes no folder.
  [[nodiscard]] static Result<OutputFolder> prepare(const OutputOptions& options, bool resume);

  OutputFolder(OutputFolder&& other) noexcept : made_(std::exchange(other.made_, {})) {}
  OutputFolder& operator=(OutputFolder&&) = delete;
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

 private:
  OutputFolder() = default;
  std::vector<std::filesystem::path> made_;  // parents first
};

// X.npy, Y.npy, agents/<id>/{X,Y}.npy, X.csv and Y.csv when the data have names, history.csv, run.json, report.html.
// Each file appears whole or not at all. A factorisation by one machine has no agents.
[[nodiscard]] Status write_results(const OutputOptions& options, const run::Inputs& inputs,
                                   const std::optional<io::ImageShape>& image, report::RunRecord& record, const Matrix& X,
                                   const Matrix& Y, const std::vector<run::AgentFactors>& agents);

// The summary for a person, or run.json for a machine, on standard output.
void print_summary(const OutputOptions& options, const report::RunRecord& record);

// --- checkpoints: <out>/checkpoint.bin, mode 0600 since it holds the agents' secrets --------------------------------

struct Checkpoint {
  std::vector<double> seconds;  // at the end of each BCD iteration so far
  double seconds_total = 0;
  Bytes state;
};
// `key` names command, data and seed: a checkpoint of another run is refused with kUsage.
[[nodiscard]] Status write_checkpoint(const std::filesystem::path& folder, const Digest& key,
                                      const Checkpoint& checkpoint);
[[nodiscard]] Result<Checkpoint> read_checkpoint(const std::filesystem::path& folder, const Digest& key);
void remove_checkpoint(const std::filesystem::path& folder);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_OUTPUTS_H_
