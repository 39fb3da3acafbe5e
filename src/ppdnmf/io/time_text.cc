#include <ppdnmf/io/time_text.h>

#include <fmt/core.h>

#include <charconv>

namespace ppdnmf::io {
namespace {

using namespace std::chrono;

std::string written(sys_seconds time, std::string_view between, std::string_view end) {
  const sys_days day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}{}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), between,
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(), end);
}

}  // namespace

std::string iso_time(sys_seconds time) { return written(time, "T", "Z"); }

std::string spoken_time(sys_seconds time) { return written(time, " ", " UTC"); }

std::optional<sys_seconds> parse_iso_time(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != kForm.size()) return std::nullopt;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool right = kForm[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == kForm[i];
    if (!right) return std::nullopt;
  }
  const auto number = [&](std::size_t from, std::size_t size) {
    int value = 0;
    (void)std::from_chars(text.data() + from, text.data() + from + size, value);
    return value;
  };
  const year_month_day date{year{number(0, 4)}, month{static_cast<unsigned>(number(5, 2))},
                            day{static_cast<unsigned>(number(8, 2))}};
  const int hour = number(11, 2);
  const int minute = number(14, 2);
  const int second = number(17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return sys_days{date} + hours{hour} + minutes{minute} + seconds{second};
}

}  // namespace ppdnmf::io
