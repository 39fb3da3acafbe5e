// A field of Settings as a row of the table: its value, and what follows from its type (settings_table.cc).
#ifndef PPDNMF_PROTOCOL_INTERNAL_SETTING_ROW_H_
#define PPDNMF_PROTOCOL_INTERNAL_SETTING_ROW_H_

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <ppdnmf/protocol/internal/setting_words.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::protocol::internal {

template <typename T>
struct Inner {
  using Type = T;
  static constexpr bool kOptional = false;
};
template <typename T>
struct Inner<std::optional<T>> {
  using Type = T;
  static constexpr bool kOptional = true;
};
template <auto kMember>
using FieldOf = Inner<std::remove_cvref_t<decltype(std::declval<Settings>().*kMember)>>;

template <typename T>
Value to_value(T field) {
  if constexpr (std::is_enum_v<T>) {
    return std::string(spell(field));
  } else if constexpr (std::is_same_v<T, bool>) {
    return field;
  } else if constexpr (std::is_floating_point_v<T>) {
    return field + 0.0;  // -0 is the 0 that it means
  } else {
    return static_cast<std::int64_t>(field);
  }
}

template <typename T>
T from_value(const Value& value) {
  if constexpr (std::is_enum_v<T>) {
    for (const auto& [one, word] : spellings_of(T())) {
      if (std::get<std::string>(value) == word) return one;
    }
    return T();
  } else if constexpr (std::is_same_v<T, bool>) {
    return std::get<bool>(value);
  } else {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<T>(*whole) : static_cast<T>(std::get<double>(value));
  }
}

template <auto kMember>
Value get(const Settings& settings) {
  const auto& field = settings.*kMember;
  if constexpr (FieldOf<kMember>::kOptional) {
    return field ? to_value(*field) : Value();
  } else {
    return to_value(field);
  }
}

template <auto kMember>
void set(Settings& settings, const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    settings.*kMember = Settings{}.*kMember;
  } else {
    settings.*kMember = from_value<typename FieldOf<kMember>::Type>(value);
  }
}

template <auto kMember>
Setting row(Setting setting) {
  using T = typename FieldOf<kMember>::Type;
  setting.get = &get<kMember>;
  setting.set = &set<kMember>;
  setting.optional = FieldOf<kMember>::kOptional;
  if constexpr (std::is_enum_v<T>) {
    setting.kind = ValueKind::kWord;
    for (const auto& [one, word] : spellings_of(T())) setting.words.push_back(word);
  } else if constexpr (std::is_same_v<T, bool>) {
    setting.kind = ValueKind::kYesNo;
  } else {
    setting.kind = std::is_floating_point_v<T> ? ValueKind::kNumber : ValueKind::kWhole;
    if constexpr (!std::is_floating_point_v<T>) {
      constexpr T kHalf = std::numeric_limits<T>::max() / 2;
      setting.max = std::min(setting.max, static_cast<double>(kHalf));
    }
  }
  if constexpr (!FieldOf<kMember>::kOptional) setting.fallback = get<kMember>(Settings{});
  return setting;
}

}  // namespace ppdnmf::protocol::internal

#endif  // PPDNMF_PROTOCOL_INTERNAL_SETTING_ROW_H_
