// The entries of a JSON object, each asked for by name; one wrong or missing entry spoils the whole.
#ifndef PPDNMF_SITE_INTERNAL_JSON_FIELDS_H_
#define PPDNMF_SITE_INTERNAL_JSON_FIELDS_H_

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <ppdnmf/io/time_text.h>
#include <ppdnmf/site/phase.h>

namespace ppdnmf::site::internal {

using Json = nlohmann::ordered_json;

// NaN as null.
inline Json number_json(double value) { return value == value ? Json(value) : Json(nullptr); }

class JsonFields {
 public:
  explicit JsonFields(const Json& object) : object_(object), good_(object.is_object()) {}

  // Not negative.
  std::int64_t count(std::string_view key) {
    const Json& value = find(key);
    if (value.is_number_integer() && value >= 0 && value <= std::numeric_limits<std::int64_t>::max())
      return value.get<std::int64_t>();
    good_ = false;
    return 0;
  }
  double number(std::string_view key) {
    const Json& value = find(key);
    if (value.is_number()) return value.get<double>();
    good_ = good_ && value.is_null();
    return std::numeric_limits<double>::quiet_NaN();
  }
  bool truth(std::string_view key) {
    const Json& value = find(key);
    good_ = good_ && value.is_boolean();
    return value.is_boolean() && value.get<bool>();
  }
  std::string text(std::string_view key) {
    const Json& value = find(key);
    good_ = good_ && value.is_string();
    return value.is_string() ? value.get<std::string>() : std::string();
  }
  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> out;
    for (const Json& value : list(key)) {
      good_ = good_ && value.is_string();
      if (value.is_string()) out.push_back(value.get<std::string>());
    }
    return out;
  }
  const Json& list(std::string_view key) {
    const Json& value = find(key);
    good_ = good_ && value.is_array();
    return value.is_array() ? value : kNothing;
  }
  std::chrono::sys_seconds time(std::string_view key) {
    const auto value = io::parse_iso_time(text(key));
    good_ = good_ && value;
    return value.value_or(std::chrono::sys_seconds{});
  }
  AgentPhase phase(std::string_view key) {
    const auto value = phase_of(text(key));
    good_ = good_ && value;
    return value.value_or(AgentPhase::kFailed);
  }
  void spoil(bool bad) { good_ = good_ && !bad; }

  // Whether every entry that was asked for was right, and there is none besides.
  [[nodiscard]] bool good() const { return good_ && asked_ == object_.size(); }

 private:
  const Json& find(std::string_view key) {
    const auto at = object_.is_object() ? object_.find(key) : object_.end();
    ++asked_;
    if (object_.is_object() && at != object_.end()) return *at;
    good_ = false;
    return kNothing;
  }

  static inline const Json kNothing = Json::array();
  const Json& object_;
  bool good_;
  std::size_t asked_ = 0;
};

}  // namespace ppdnmf::site::internal

#endif  // PPDNMF_SITE_INTERNAL_JSON_FIELDS_H_
