#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::protocol {
namespace {

std::string number_text(double value) { return fmt::format("{}", value); }

bool has_word(const Setting& setting, const std::string& word) {
  return std::find(setting.words.begin(), setting.words.end(), word) != setting.words.end();
}

bool is_within(const Setting& setting, double value) {
  return value >= setting.min && (setting.below_max ? value < setting.max : value <= setting.max);
}

tl::unexpected<Error> refused(const Setting& setting, std::string_view shown) {
  return error(ErrorCode::kUsage, "`{}` must be {}, not {}", setting.name, limits_text(setting), shown);
}

bool is_number(const Setting& setting) {
  return setting.kind == ValueKind::kWhole || setting.kind == ValueKind::kNumber;
}

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

bool is_given(const Setting& setting, const Settings& settings) {
  return setting.get(settings) != (setting.optional ? Value() : setting.fallback);
}

std::string limits_text(const Setting& setting) {
  std::string out;
  if (setting.kind == ValueKind::kWord) {
    out = fmt::format("one of {}", fmt::join(setting.words, ", "));
  } else if (setting.kind == ValueKind::kYesNo) {
    out = "true or false";
  } else {
    out = setting.kind == ValueKind::kWhole ? "a whole number" : "a number";
    if (setting.below_max) {
      out += fmt::format(" in [{}, {})", number_text(setting.min), number_text(setting.max));
    } else if (setting.max == std::numeric_limits<double>::max()) {
      out += fmt::format(", {} or more", number_text(setting.min));
    } else {
      out += fmt::format(" from {} to {}", number_text(setting.min), number_text(setting.max));
    }
  }
  if (setting.range) out += ", or two of them as 4-20, the smaller one first";
  return setting.automatic.empty() ? out : out + ", or auto";
}

Status check_value(const Setting& setting, const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* number = std::get_if<double>(&value);
  const auto* word = std::get_if<std::string>(&value);
  bool good = std::holds_alternative<std::monostate>(value) && setting.optional;
  if (setting.kind == ValueKind::kWord) good = good || (word != nullptr && has_word(setting, *word));
  if (setting.kind == ValueKind::kYesNo) good = std::holds_alternative<bool>(value);
  if (is_number(setting) && whole != nullptr) good = is_within(setting, static_cast<double>(*whole));
  if (setting.kind == ValueKind::kNumber && number != nullptr)
    good = std::isfinite(*number) && is_within(setting, *number);
  if (setting.range && word != nullptr) {
    const auto range = parse_range(*word);
    good = range && is_within(setting, static_cast<double>(range->first)) &&
           is_within(setting, static_cast<double>(range->second));
  }
  if (good) return {};
  return refused(setting, word != nullptr ? fmt::format("'{}'", *word) : text_of(value));
}

Status set_value(const Setting& setting, Settings& settings, const Value& value) {
  PPDNMF_TRY_STATUS(check_value(setting, value));
  setting.set(settings, value);
  return {};
}

Result<Value> parse_value(const Setting& setting, std::string_view text) {
  Value value = std::string(text);
  const char* end = text.data() + text.size();
  if (text == "auto" && !setting.automatic.empty()) {
    value = std::monostate();
  } else if (setting.kind == ValueKind::kYesNo && (text == "true" || text == "false")) {
    value = text == "true";
  } else if (std::int64_t whole = 0;
             is_number(setting) && std::from_chars(text.data(), end, whole) == std::from_chars_result{end, {}}) {
    value = whole;
  } else if (double number = 0; setting.kind == ValueKind::kNumber &&
                                std::from_chars(text.data(), end, number) == std::from_chars_result{end, {}}) {
    value = number;
  }
  // What was typed is shown as it was typed: 1e300, not 1e+300.
  if (std::holds_alternative<double>(value) && !check_value(setting, value)) return refused(setting, text);
  PPDNMF_TRY_STATUS(check_value(setting, value));
  return value;
}

std::optional<std::pair<std::int64_t, std::int64_t>> parse_range(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::pair<std::int64_t, std::int64_t> range;
  const auto [dash, status] = std::from_chars(text.data(), end, range.first);
  if (status != std::errc() || dash == end || *dash != '-') return std::nullopt;
  if (std::from_chars(dash + 1, end, range.second) != std::from_chars_result{end, {}}) return std::nullopt;
  if (range.first < 1 || range.first >= range.second) return std::nullopt;
  return range;
}

std::string text_of(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "true" : "false";
  return "auto";
}

bool can_be_left_out(const Setting& setting) {
  if (setting.later) return true;
  return setting.optional && setting.automatic.empty() && std::holds_alternative<std::monostate>(setting.fallback);
}

bool has_line(const Setting& setting, const Settings& settings) {
  if (!setting.knows(scheme_of(settings)) || (setting.private_run && !is_private(settings))) return false;
  if (setting.later) return is_given(setting, settings);
  return !can_be_left_out(setting) || !std::holds_alternative<std::monostate>(setting.get(settings));
}

std::vector<std::pair<std::string, std::string>> recorded_parameters(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Setting& setting : settings_table()) {
    if (!setting.recorded || !has_line(setting, settings)) continue;
    if (setting.offered == Offered::kConsortium && !is_given(setting, settings)) continue;
    out.emplace_back(setting.name, text_of(setting.get(settings)));
  }
  return out;
}

std::string render_names(std::string_view sentence, const NameRenderer& render) {
  std::string out;
  while (!sentence.empty()) {
    const std::size_t begin = sentence.find('`');
    const std::size_t end = begin == std::string_view::npos ? begin : sentence.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    const std::string_view inside = sentence.substr(begin + 1, end - begin - 1);
    const std::string_view name = inside.substr(0, inside.find('='));
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_letter)) {
      out += sentence.substr(0, begin + 1);
      sentence.remove_prefix(begin + 1);
      continue;
    }
    out += sentence.substr(0, begin);
    out += render(name, inside.substr(std::min(name.size() + 1, inside.size())));
    sentence.remove_prefix(end + 1);
  }
  return out + std::string(sentence);
}

}  // namespace ppdnmf::protocol
