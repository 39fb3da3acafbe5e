// What `transform` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_TRANSFORM_H_
#define PPDNMF_APPS_RUN_TRANSFORM_H_

#include <string>

#include "apps/ppdnmf/options.h"
#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/loss_options.h>

namespace ppdnmf::app {

struct TransformOptions {
  std::string factor;
  DataOptions data;
  ViewOptions view;
  std::uint64_t seed = 1;  // of the draws behind intervals
  std::size_t threads = 0;
  std::string loss = "squares";  // or "poisson"
  protocol::MissingKind missing = protocol::MissingKind::kRefuse;
  nmf::Penalties penalties;  // on Y
  OutputOptions output;
};

// Writes the coordinates and the record, and prints what it came to.
[[nodiscard]] Status run_transform(const TransformOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_TRANSFORM_H_
