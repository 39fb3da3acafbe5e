#include <ppdnmf/logbook/entry.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/io/time_text.h>

namespace ppdnmf::logbook {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kLabel = "ppdnmf log 1\n";
constexpr std::size_t kDigits = 2 * sizeof(Digest);

ByteSpan span_of(std::string_view text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

Digest chained(const Digest& before, std::string_view object) {
  return sha256({span_of(kLabel), before, span_of(object)});
}

const Value* find(const Entry& entry, std::string_view key) {
  const auto& fields = entry.fields();
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == key; });
  return found == fields.end() ? nullptr : &found->second;
}

std::optional<Value> value_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Entry::text(std::string_view key) const {
  const Value* value = find(*this, key);
  const auto* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return text != nullptr ? std::optional(*text) : std::nullopt;
}

std::optional<std::int64_t> Entry::number(std::string_view key) const {
  const Value* value = find(*this, key);
  const auto* number = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::string write_line(const Entry& entry, std::chrono::sys_seconds now, Link& link) {
  Json json = {{"line", link.lines + 1}, {"at", io::iso_time(now)}, {"what", entry.what()}};
  for (const auto& [key, value] : entry.fields()) {
    std::visit([&json, &key = key](const auto& v) { json[key] = v; }, value);
  }
  const std::string object = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  link = {link.lines + 1, chained(link.digest, object)};
  return hex(link.digest) + " " + object + "\n";
}

Result<ReadLine> read_line(std::string_view line, Link& link) {
  if (line.size() < kDigits + 1 || line.size() > kMaxLineBytes || line[kDigits] != ' ')
    return error(ErrorCode::kInvalidData, "is not a line of a log");
  const std::string_view object = line.substr(kDigits + 1);
  const Digest digest = chained(link.digest, object);
  if (hex(digest) != line.substr(0, kDigits)) {
    return error(
        ErrorCode::kInvalidData,
        "does not follow from what stands before it: it was changed, or a line is missing or out of its place");
  }
  const Json json = Json::parse(object, nullptr, false);
  const auto refused = [] { return error(ErrorCode::kInvalidData, "is not a line that ppdnmf writes"); };
  if (!json.is_object() || json.size() < 3 || json.value("line", Json()) != Json(link.lines + 1)) return refused();
  const Json at = json.value("at", Json()), what = json.value("what", Json());
  const auto time = at.is_string() ? io::parse_iso_time(at.get<std::string>()) : std::nullopt;
  if (!time || !what.is_string()) return refused();
  ReadLine out{Entry(what.get<std::string>()), *time};
  for (const auto& [key, value] : json.items()) {
    if (key == "line" || key == "at" || key == "what") continue;
    auto read = value_of(value);
    if (!read) return refused();
    out.entry.with(key, *std::move(read));
  }
  link = {link.lines + 1, digest};
  return out;
}

}  // namespace ppdnmf::logbook
