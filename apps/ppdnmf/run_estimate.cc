#include "apps/ppdnmf/run_estimate.h"

#include <fmt/format.h>

#include <ppdnmf/host/thread_pool.h>

namespace ppdnmf::app {

Status run_estimate(EstimateOptions options) {
  options.size.threads = host::threads_or_all(options.threads);
  PPDNMF_TRY(const run::SiteEstimate estimate, run::estimate_site(options.size, options.network));
  fmt::print("{}", options.json ? run::estimate_json(estimate) : run::estimate_text(estimate));
  return {};
}

}  // namespace ppdnmf::app
