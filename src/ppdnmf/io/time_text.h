// Moments as people and JSON write them, in UTC.
#ifndef PPDNMF_IO_TIME_TEXT_H_
#define PPDNMF_IO_TIME_TEXT_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ppdnmf::io {

// "2026-11-16T03:01:10Z".
[[nodiscard]] std::string iso_time(std::chrono::sys_seconds time);
// What iso_time wrote; nothing if it is anything else.
[[nodiscard]] std::optional<std::chrono::sys_seconds> parse_iso_time(std::string_view text);
// "2026-11-16 03:01:10 UTC".
[[nodiscard]] std::string spoken_time(std::chrono::sys_seconds time);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_TIME_TEXT_H_
