#include "settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cctype>

#include "bind.h"
#include "errors.h"
#include <ppdnmf/protocol/settings_table.h>

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

using protocol::Setting;
using protocol::ValueKind;

const Setting* find_argument(std::string_view name) {
  const auto table = protocol::settings_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Setting& setting) { return setting.python_name() == name; });
  return found == table.end() ? nullptr : &*found;
}

// A word of the table as scikit-learn spells it, and back.
std::string_view spelt(const Setting& setting, std::string_view word) {
  for (std::size_t i = 0; i < setting.python_words.size(); ++i) {
    if (setting.words[i] == word) return setting.python_words[i];
  }
  return word;
}
std::string table_word(const Setting& setting, const std::string& text) {
  if (setting.python_words.empty()) return text;
  for (std::size_t i = 0; i < setting.python_words.size(); ++i) {
    if (setting.python_words[i] == text) return std::string(setting.words[i]);
  }
  raise({ErrorCode::kUsage, fmt::format("{} must be '{}', not '{}'", setting.python_name(),
                                        fmt::join(setting.python_words, "' or '"), text)});
}

py::object to_python(const protocol::Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return py::int_(*whole);
  if (const auto* number = std::get_if<double>(&value)) return py::float_(*number);
  if (const auto* word = std::get_if<std::string>(&value)) return py::str(*word);
  if (const auto* yes = std::get_if<bool>(&value)) return py::bool_(*yes);
  return py::none();
}

// What is no number or text becomes a text that no setting takes: the sentence then shows it.
protocol::Value from_python(const Setting& setting, const py::handle& object) {
  if (py::isinstance<py::str>(object)) {
    const auto text = object.cast<std::string>();
    return text == "auto" && !setting.automatic.empty() ? protocol::Value()
                                                        : protocol::Value(table_word(setting, text));
  }
  if (py::isinstance<py::float_>(object)) return object.cast<double>();
  if (py::isinstance<py::bool_>(object) && setting.kind == ValueKind::kYesNo) return object.cast<bool>();
  if (py::isinstance<py::int_>(object) && !py::isinstance<py::bool_>(object)) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow == 0) return static_cast<std::int64_t>(number);
  }
  return table_word(setting, py::repr(object).cast<std::string>());
}

std::string_view kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::kWhole:
      return "int";
    case ValueKind::kNumber:
      return "float";
    case ValueKind::kYesNo:
      return "bool";
    case ValueKind::kWord:
      break;
  }
  return "str";
}

py::list table() {
  py::list rows;
  for (const Setting& setting : protocol::settings_table()) {
    if (setting.offered != protocol::Offered::kEverywhere) continue;
    py::dict row;
    row["name"] = setting.python_name();
    row["kind"] = kind_name(setting.kind);
    row["words"] = setting.python_words.empty() ? setting.words : setting.python_words;
    const auto* word = std::get_if<std::string>(&setting.fallback);
    row["default"] = setting.required  ? py::none()
                     : word != nullptr ? py::object(py::str(std::string(spelt(setting, *word))))
                                       : to_python(setting.fallback);
    row["automatic"] = in_arguments(setting.automatic);
    row["known_to_sum"] = setting.knows(protocol::SchemeKind::kSum);
    row["known_to_neighbours"] = setting.knows(protocol::SchemeKind::kHardened);
    row["meaning"] = in_arguments(setting.meaning);
    rows.append(row);
  }
  return rows;
}

}  // namespace

protocol::Settings settings_of(const py::dict& arguments) {
  protocol::Settings settings;
  for (const auto& [name, object] : arguments) {
    const Setting* setting = find_argument(name.cast<std::string>());
    if (setting == nullptr) throw py::key_error(name.cast<std::string>());
    if (object.is_none()) continue;
    if (const Status done = protocol::set_value(*setting, settings, from_python(*setting, object)); !done)
      raise(done.error());
  }
  return settings;
}

std::string in_arguments(std::string_view sentence) {
  return protocol::render_names(sentence, [](std::string_view name, std::string_view value) {
    const Setting* setting = protocol::find_setting(name);
    const std::string_view own = setting == nullptr ? name : setting->python_name();
    if (value.empty()) return std::string(own);
    if (setting != nullptr) value = spelt(*setting, value);
    const bool word = setting == nullptr || setting->kind == ValueKind::kWord;
    return fmt::format("{}={}{}{}", own, word ? "'" : "", value, word ? "'" : "");
  });
}

void bind_settings(py::module_& module) {
  module.def("settings_table", &table, "One dict for each setting of a network, in the order of the reference.");
}

}  // namespace ppdnmf::python
