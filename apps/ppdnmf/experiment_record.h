// What an experiment leaves in its folder.
#ifndef PPDNMF_APPS_EXPERIMENT_RECORD_H_
#define PPDNMF_APPS_EXPERIMENT_RECORD_H_

#include <optional>
#include <string>
#include <vector>

#include "apps/ppdnmf/experiment_data.h"
#include <ppdnmf/experiment/encrypted_check.h>
#include <ppdnmf/experiment/figures.h>
#include <ppdnmf/experiment/joining.h>
#include <ppdnmf/experiment/page.h>

namespace ppdnmf::app {

struct ExperimentResults {
  std::optional<experiment::EncryptedCheck> check;
  std::vector<experiment::JoiningOutcome> joining;              // of each joining trial
  std::vector<std::vector<experiment::TrialOutcome>> outcomes;  // of each variant, then trial
  double seconds = 0;
};

// summary.csv and curves.csv (if there are curves), each figure as CSV, SVG and PNG, experiment.html and, last,
// experiment.json.
[[nodiscard]] Status write_experiment(const ExperimentOptions& options, const ExperimentPlan& plan,
                                      const ExperimentResults& results);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_EXPERIMENT_RECORD_H_
