// The time of day. Only programs ask for it; libraries are told.
#ifndef PPDNMF_APPS_CLOCK_H_
#define PPDNMF_APPS_CLOCK_H_

#include <chrono>

namespace ppdnmf::app {

[[nodiscard]] inline std::chrono::sys_seconds now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_CLOCK_H_
