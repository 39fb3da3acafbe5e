// What `estimate` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_ESTIMATE_H_
#define PPDNMF_APPS_RUN_ESTIMATE_H_

#include <cstddef>

#include <ppdnmf/base/result.h>
#include <ppdnmf/run/site_estimate.h>

namespace ppdnmf::app {

struct EstimateOptions {
  run::SiteSize size;
  run::Network network;
  std::size_t threads = 0;  // 0: all processors
  bool json = false;
};

// Prints what it would cost.
[[nodiscard]] Status run_estimate(EstimateOptions options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_ESTIMATE_H_
