// The time of day, to the second.
#ifndef PPDNMF_SITE_INTERNAL_TODAY_H_
#define PPDNMF_SITE_INTERNAL_TODAY_H_

#include <chrono>

namespace ppdnmf::site {

[[nodiscard]] inline std::chrono::sys_seconds today() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_INTERNAL_TODAY_H_
