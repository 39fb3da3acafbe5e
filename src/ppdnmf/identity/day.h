// Days as people write them.
#ifndef PPDNMF_IDENTITY_DAY_H_
#define PPDNMF_IDENTITY_DAY_H_

#include <fmt/core.h>

#include <chrono>
#include <string>

namespace ppdnmf::identity {

// "2036-03-13", in UTC.
[[nodiscard]] inline std::string day_text(std::chrono::sys_seconds time) {
  const std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(time)};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_DAY_H_
