#ifndef PPDNMF_APPS_RUN_CONVERT_H_
#define PPDNMF_APPS_RUN_CONVERT_H_

#include <string>

#include <ppdnmf/base/result.h>

namespace ppdnmf::app {

struct ConvertOptions {
  std::string from, to;
  bool empty_is_nan = false;
  bool force = false;
  bool quiet = false;
};

// Converts, shows on a terminal how far it is, and prints what was written.
[[nodiscard]] Status run_convert(const ConvertOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_RUN_CONVERT_H_
