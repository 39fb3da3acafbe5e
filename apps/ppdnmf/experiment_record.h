// What an experiment leaves in its folder.
#ifndef PPDNMF_APPS_EXPERIMENT_RECORD_H_
#define PPDNMF_APPS_EXPERIMENT_RECORD_H_

#include <optional>
#include <string>
#include <vector>

#include "apps/ppdnmf/experiment_data.h"
#include "experiment/encrypted_check.h"
#include "experiment/figures.h"
#include "experiment/joining.h"
#include "experiment/page.h"

namespace ppdnmf {

struct ExperimentResults {
  std::optional<EncryptedCheck> check;
  std::vector<JoiningOutcome> joining;              // of each joining trial
  std::vector<std::vector<TrialOutcome>> outcomes;  // of each variant, then trial
  double seconds = 0;
};

// summary.csv and curves.csv (if there are curves), each figure as CSV, SVG and PNG, experiment.html and, last,
// experiment.json.
[[nodiscard]] Status write_experiment(const ExperimentOptions& options, const ExperimentPlan& plan,
                                      const ExperimentResults& results);

}  // namespace ppdnmf

#endif  // PPDNMF_APPS_EXPERIMENT_RECORD_H_
