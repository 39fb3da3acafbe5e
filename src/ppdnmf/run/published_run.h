// A private factorisation by one holder of all data, who publishes X: what `factorize --epsilon` does
// (docs/privacy.md).
//
// The noise comes from the operating system's entropy and is forgotten with the process: no seed repeats it, and there
// is no checkpoint from which it could be found.
#ifndef PPDNMF_RUN_PUBLISHED_RUN_H_
#define PPDNMF_RUN_PUBLISHED_RUN_H_

#include <string>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/run/factorize_run.h>
#include <ppdnmf/run/hooks.h>
#include <ppdnmf/run/options.h>

namespace ppdnmf::run {

struct PublishedRequest {
  RunOptions
      options;  // settings with epsilon, delta, normalise and columns; its seed decides the starts, which are public
  Caller caller;
  std::vector<std::string> notes;    // on the data
  std::vector<std::string> persons;  // of each column (data/persons.h); empty: nobody says
};

// Fails with kUsage as make_run_settings does, without `columns`, and where the data have more than four times as many;
// with kInterrupted after Wish::kPause: nothing was published then, and a new run draws new noise.
[[nodiscard]] Result<FactorizeOutcome> run_published(const PublishedRequest& request, const data::SharedColumns& Z,
                                                     Executor& executor, const Hooks& hooks);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_PUBLISHED_RUN_H_
