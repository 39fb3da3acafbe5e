// What `demo` does, once its options are read.
#ifndef PPDNMF_APPS_RUN_DEMO_H_
#define PPDNMF_APPS_RUN_DEMO_H_

#include <cstddef>
#include <cstdint>

#include "apps/ppdnmf/options.h"
#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct DemoOptions {
  OutputOptions output;
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

// Makes three hospitals' data, lets everybody look for what is in them, writes the page and prints its sentences.
[[nodiscard]] Status run_demo(const DemoOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_DEMO_H_
