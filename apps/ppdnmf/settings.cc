// A hidden command: the tables of the reference pages. scripts/reference_tables.py puts them there.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/exit_codes.h"
#include "apps/ppdnmf/options.h"
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::app {
namespace {

using protocol::KnownTo;
using protocol::Setting;

std::string escaped(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, 1, '\\');
  return text;
}

std::string_view known_text(KnownTo known_to) {
  switch (known_to) {
    case KnownTo::kAll:
      return "all";
    case KnownTo::kSum:
      return "`sum`, `moments`";
    case KnownTo::kNeighbours:
      return "`hardened`, `as-printed`";
  }
  return "";
}

std::string default_text(const Setting& setting, const protocol::NameRenderer& render) {
  if (setting.required) return "required";
  if (!std::holds_alternative<std::monostate>(setting.fallback))
    return fmt::format("`{}`", protocol::text_of(setting.fallback));
  return protocol::render_names(setting.automatic, render);
}

std::string of_command_line(const Setting& setting) {
  const auto render = [](std::string_view name, std::string_view value) {
    return value.empty() ? fmt::format("`{}`", flag_of(name)) : fmt::format("`{} {}`", flag_of(name), value);
  };
  const std::string value =
      setting.words.empty() ? std::string(setting.letter) : escaped(fmt::format("{}", fmt::join(setting.words, "|")));
  const std::string option = setting.kind == protocol::ValueKind::kYesNo
                                 ? flag_of(setting.name)
                                 : fmt::format("{} {}", flag_of(setting.name), value);
  return fmt::format("| `{}` | {} | {} | {} |\n", option, default_text(setting, render), known_text(setting.known_to),
                     protocol::render_names(setting.meaning, render));
}

// As scikit-learn spells a word of the table.
std::string_view spelt(const Setting* setting, std::string_view word) {
  for (std::size_t i = 0; setting != nullptr && i < setting->python_words.size(); ++i) {
    if (setting->words[i] == word) return setting->python_words[i];
  }
  return word;
}

std::string of_python(const Setting& setting) {
  const auto render = [](std::string_view name, std::string_view value) {
    const Setting* other = protocol::find_setting(name);
    const std::string_view own = other == nullptr ? name : other->python_name();
    return value.empty() ? fmt::format("`{}`", own) : fmt::format("`{}={}`", own, spelt(other, value));
  };
  const bool automatic = std::holds_alternative<std::monostate>(setting.fallback);
  const std::string fallback = setting.python_words.empty()
                                   ? default_text(setting, render)
                                   : fmt::format("`{}`", spelt(&setting, protocol::text_of(setting.fallback)));
  return fmt::format("| `{}` | {} | {} | {} |\n", setting.python_name(),
                     setting.required ? "as many as there are features"
                     : automatic      ? fallback.empty() ? "None" : "None: " + fallback
                                      : fallback,
                     known_text(setting.known_to), protocol::render_names(setting.meaning, render));
}

std::string settings_table(bool python) {
  std::string out =
      python ? "| argument | default | schemes | meaning |\n" : "| option | default | schemes | meaning |\n";
  out += "|---|---|---|---|\n";
  for (const Setting& setting : protocol::settings_table()) {
    if (has_everywhere(setting)) out += python ? of_python(setting) : of_command_line(setting);
  }
  return out;
}

std::string exit_code_table() {
  std::string out = "| code | meaning | who has to act |\n|---|---|---|\n";
  for (const ExitCode& one : kExitCodes) out += fmt::format("| {} | {} | {} |\n", one.code, one.meaning, one.who);
  return out;
}

}  // namespace

void add_settings(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("settings", "The tables of the reference pages");
  command->group("");  // not for users: the pages have them
  auto which = std::make_shared<std::string>("command-line");
  command->add_option("--markdown", *which, "which table")
      ->check(CLI::IsMember({"command-line", "python", "exit-codes"}))
      ->capture_default_str();
  command->footer("Example: ppdnmf settings --markdown python");
  command->callback([which, &outcome] {
    outcome = Status();
    fmt::print("{}", *which == "exit-codes" ? exit_code_table() : settings_table(*which == "python"));
  });
}

}  // namespace ppdnmf::app
