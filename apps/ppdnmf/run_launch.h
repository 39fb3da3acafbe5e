// What `launch` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_LAUNCH_H_
#define PPDNMF_APPS_RUN_LAUNCH_H_

#include "apps/ppdnmf/run_simulate.h"
#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

// Starts the agents, waits for them, gathers what they wrote and prints the summary.
[[nodiscard]] Status run_launch(SimulateOptions options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_LAUNCH_H_
