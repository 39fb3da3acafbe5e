// What `simulate` and `rank` do, once their options are read.
#ifndef PPDNMF_APPS_RUN_SIMULATE_H_
#define PPDNMF_APPS_RUN_SIMULATE_H_

#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/page_process.h"
#include <ppdnmf/base/result.h>
#include <ppdnmf/run/network_run.h>

namespace ppdnmf::app {

struct SimulateOptions {
  DataOptions data;
  ViewOptions view;
  OutputOptions output;
  run::NetworkRequest request;
  PageOptions page;       // of launch
  bool estimate = false;  // only tell what the run would cost
};

// Runs, writes the results and prints the summary. Interrupted, it leaves a checkpoint and fails with kInterrupted.
[[nodiscard]] Status run_simulate(SimulateOptions options);

// The same for a range of ranks, under the Poisson loss if nobody says otherwise and all entries are whole numbers.
[[nodiscard]] Status run_rank(SimulateOptions options, bool loss_given);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_SIMULATE_H_
