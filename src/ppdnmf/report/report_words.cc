#include <ppdnmf/report/report_words.h>

#include <fmt/core.h>

#include <cmath>

#include <ppdnmf/report/report.h>

namespace ppdnmf::report {
namespace {

// From here on the agents' factors are different answers rather than one answer with noise.
constexpr double kDisagree = 0.1;

std::string explained(const RunRecord& record) {
  if (!std::isnan(record.worst_agent_error)) {
    return fmt::format("the worst agent's factor explains everybody's data with relative error {}",
                       short_number(record.worst_agent_error));
  }
  return fmt::format("together they explain the data with relative error {}", short_number(record.relative_error));
}

std::string own_verdict(const RunRecord& record) {
  const OwnView& own = *record.own;
  const auto place = static_cast<std::size_t>(own.agent);
  const std::string name = place < own.members.size() ? own.members[place] : fmt::format("agent {}", own.agent);
  const std::string factor = own.common_factor
                                 ? fmt::format("the factor that all {} members have", count_word(record.agents))
                                 : "its own factor, as the printed algorithm leaves it";
  if (!own.numbers) {
    const std::string end = std::isnan(record.relative_error)
                                ? "; the error on everybody's data is not known to anybody."
                                : fmt::format(", which explains everybody's data together with relative error {}.",
                                              short_number(record.relative_error));
    return fmt::format("{} ended with {}{}", name, factor, end);
  }
  if (std::isnan(record.relative_error)) {
    return fmt::format(
        "{} ended with {}, which explains its own data with relative error {}; the error on everybody's data is not "
        "known to anybody.",
        name, factor, short_number(own.numbers->error));
  }
  return fmt::format(
      "{} ended with {}, which explains everybody's data together with relative error {} and its own with {}.", name,
      factor, short_number(record.relative_error), short_number(own.numbers->error));
}

}  // namespace

std::string short_number(double x) { return std::isnan(x) ? "not measured" : fmt::format("{:.3g}", x); }

std::string percent(double x) {
  if (std::isnan(x)) return "not measured";
  // Two digits would turn into an exponent from 99.5 on.
  if (std::abs(100 * x) >= 99.5) return fmt::format("{:.0f} %", 100 * x);
  return fmt::format("{:.2g} %", 100 * x);
}

std::string byte_size(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  static constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  auto size = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (size >= 999.5 && unit < 5) {
    size /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", size, size < 10 ? 1 : 0, kUnits[unit]);
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "not measured";
  if (seconds < 60) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(std::min(seconds, 1e15)));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string count_word(int count) {
  static constexpr const char* kWords[] = {"two",   "three", "four", "five",   "six",   "seven",
                                           "eight", "nine",  "ten",  "eleven", "twelve"};
  return count >= 2 && count <= 12 ? kWords[count - 2] : fmt::format("{}", count);
}

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, "\u00A0");
  }
  return digits;
}

std::string verdict(const RunRecord& record) {
  if (record.own) return own_verdict(record);
  if (record.agents <= 1) {
    return fmt::format("The factors explain the data with relative error {}.", short_number(record.relative_error));
  }
  const std::string who = fmt::format("The {} agents", count_word(record.agents));
  if (std::isnan(record.disagreement)) {
    return fmt::format("{}: how well they agree was not measured; {}.", who, explained(record));
  }
  if (record.disagreement > kDisagree) {
    return fmt::format(
        "{} did not agree: their factors differ by up to {}. The relative error of {} says only how well each agent's "
        "factor fits its own data; {}.",
        who, percent(record.disagreement), short_number(record.relative_error), explained(record));
  }
  if (record.disagreement == 0 && !std::isnan(record.worst_agent_error)) {
    return fmt::format("{} have the same factor, to the bit; it explains everybody's data with relative error {}.", who,
                       short_number(record.worst_agent_error));
  }
  return fmt::format("{} agree to {}; {}.", who, percent(record.disagreement), explained(record));
}

}  // namespace ppdnmf::report
