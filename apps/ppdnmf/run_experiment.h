// What `experiment` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_EXPERIMENT_H_
#define PPDNMF_APPS_RUN_EXPERIMENT_H_

#include "apps/ppdnmf/experiment_data.h"
#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

using ExperimentPlanner = Result<ExperimentPlan> (*)(const ExperimentOptions&);

// Runs every trial on all cores, writes the figures and prints the summary. Interrupted, it leaves a checkpoint and
// fails with kInterrupted.
[[nodiscard]] Status run_experiment(const ExperimentOptions& options, ExperimentPlanner planner);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_EXPERIMENT_H_
