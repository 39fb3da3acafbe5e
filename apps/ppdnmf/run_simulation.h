// A network of agents from options to results: what `simulate` and `demo` share, and `launch` in part.
#ifndef PPDNMF_APPS_RUN_SIMULATION_H_
#define PPDNMF_APPS_RUN_SIMULATION_H_

#include <string>

#include <ppdnmf/run/inputs.h>
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/plan.h"
#include <ppdnmf/report/run_record.h>

namespace ppdnmf::app {

struct SimulateOptions {
  DataOptions data;
  OutputOptions output;
  run::FactorOptions factor;
  run::NetworkOptions network;
  std::string command = "simulate";
  std::string title;
};

// What is known before the run.
[[nodiscard]] report::RunRecord begin_record(const SimulateOptions& options, const Plan& plan, const run::Inputs& inputs);
void print_notes(const SimulateOptions& options, const report::RunRecord& record);  // to standard error, unless --quiet

// Debits a private run whose secrets follow from its seed to the ledger of the options, if there is one: before
// anything is sent, and once for the same bytes, which tell nothing new. `only_check`: says whether it would.
[[nodiscard]] Status debit_seeded(const SimulateOptions& options, const Plan& plan, const report::RunRecord& record,
                                  const run::Inputs& inputs, bool only_check);

// Runs, writes the results and prints the summary. Interrupted, it leaves a checkpoint and fails with kInterrupted.
[[nodiscard]] Status run_simulation(const SimulateOptions& options, const run::Inputs& inputs);

// The same without files, notes and progress: what it came to, in one line for a person.
[[nodiscard]] Result<std::string> simulation_in_a_line(const SimulateOptions& options, const run::Inputs& inputs);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_SIMULATION_H_
