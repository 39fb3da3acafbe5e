// What `factorize` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_FACTORIZE_H_
#define PPDNMF_APPS_RUN_FACTORIZE_H_

#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/several.h"
#include <ppdnmf/base/result.h>
#include <ppdnmf/run/factorize_run.h>

namespace ppdnmf::app {

struct FactorizeCommand {
  DataOptions data;
  ViewOptions view;
  OutputOptions output;
  run::RunOptions options;
  run::SolverOptions solver;
  Several* several = nullptr;      // null: one process
  double checkpoint_seconds = 60;  // of several processes: a checkpoint so often, since one of them may be lost
};

// Runs, writes the results and prints the summary. Interrupted, it leaves a checkpoint and fails with kInterrupted.
[[nodiscard]] Status run_factorize(const FactorizeCommand& command);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_FACTORIZE_H_
