// A factorisation on one machine, from options to record: what `factorize` and Python's NMF share.
#ifndef PPDNMF_RUN_FACTORIZE_RUN_H_
#define PPDNMF_RUN_FACTORIZE_RUN_H_

#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/run/hooks.h>
#include <ppdnmf/run/options.h>

namespace ppdnmf::run {

// What is chosen in words.
struct SolverOptions {
  std::string solver = "fast";  // or "admm"
  std::optional<int> starts;
  std::vector<std::string> given_for_admm;  // settings that somebody gave and only `solver=admm` has a use for
};

// Fails with kUsage, naming the setting.
[[nodiscard]] Result<nmf::FactorizeOptions> make_factorize_options(const protocol::Settings& settings,
                                                                   const SolverOptions& solver);

struct FactorizeRequest {
  RunOptions options;
  nmf::FactorizeOptions solver;  // made of their settings, and X0 if there is one
  Caller caller;
  Digest data{};                   // names the data in a checkpoint's key
  std::vector<std::string> notes;  // on the data
};

struct FactorizeOutcome {
  Matrix X, Y;
  Matrix shrink;             // nmf::Factorization::shrink
  report::RunRecord record;  // without worst_agent_error, which takes exact coordinates
};

// Runs to the end. Ends the run when it has taken max_seconds and an iteration. Fails as Factorization does; with
// kInterrupted after Wish::kPause, a checkpoint written if there is a place for it.
[[nodiscard]] Result<FactorizeOutcome> run_factorization(const FactorizeRequest& request,
                                                         const data::SharedColumns& columns, Executor& executor,
                                                         const Hooks& hooks);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_FACTORIZE_RUN_H_
