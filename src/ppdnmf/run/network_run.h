// A network of agents in this process, from options to record: what `simulate` and Python's DistributedNMF
// share, and `launch` in part.
#ifndef PPDNMF_RUN_NETWORK_RUN_H_
#define PPDNMF_RUN_NETWORK_RUN_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/run/hooks.h>
#include <ppdnmf/run/inputs.h>
#include <ppdnmf/run/network_plan.h>
#include <ppdnmf/run/network_record.h>
#include <ppdnmf/run/options.h>

namespace ppdnmf::run {

struct NetworkRequest {
  RunOptions options;
  Caller caller;
};

struct NetworkOutcome {
  NetworkFactors factors;
  report::RunRecord record;  // with the history, the sentences on privacy and the account of a private run
};

// What is known before the run.
[[nodiscard]] report::RunRecord begin_record(const NetworkRequest& request, const NetworkPlan& plan,
                                             const Inputs& inputs);

// Debits a private run whose secrets follow from its seed to the ledger of the options, if there is one: before
// anything is sent, and once for the same bytes, which tell nothing new. `only_check`: says whether it would. `record`
// is that of begin_record. Fails as check_ledger and debit_ledger do.
[[nodiscard]] Status debit_seeded(const NetworkRequest& request, const NetworkPlan& plan,
                                  const report::RunRecord& record, const Inputs& inputs, bool only_check);

// Runs to the end, with its transcript and its checkpoints as the request and the hooks say; a run that lasts writes
// one every minute. Ends the run when it has taken the options' max_seconds. The agents' steps run on the executor; the
// result does not depend on it. Fails as Simulation::create and the agents do; with kInterrupted after Wish::kPause, a
// checkpoint written if there is a place for it. The caller's part is to write the results (run/outputs.h).
[[nodiscard]] Result<NetworkOutcome> run_network(const NetworkRequest& request, const NetworkPlan& plan,
                                                 const Inputs& inputs, Executor& executor, const Hooks& hooks);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_NETWORK_RUN_H_
