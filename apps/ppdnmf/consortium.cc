#include "apps/ppdnmf/consortium.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/options.h"
#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/identity/day.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::app {
namespace {

using Json = nlohmann::ordered_json;

struct Findings {
  std::vector<consortium::Problem> problems;
  std::vector<std::string> notes;
  std::string digits, digest;  // empty if no agent would take part: there is nothing to compare then
  Status outcome;
};

Findings find(const consortium::Consortium& consortium) {
  const auto today = now();
  Findings out;
  out.problems = consortium::check(consortium, today);
  auto checked = consortium::CheckedConsortium::create(consortium, today);
  if (!checked) {
    out.outcome = tl::unexpected(std::move(checked).error());
    return out;
  }
  out.notes = consortium::privacy_notes(consortium, checked->graph());
  out.digits = spoken(checked->digest());
  out.digest = hex(checked->digest());
  return out;
}

std::vector<std::string> neighbours_of(const consortium::Consortium& consortium, const std::string& name) {
  std::vector<std::string> out;
  for (const auto& [a, b] : consortium.edges) {
    if (a == name) out.push_back(b);
    if (b == name && a != b) out.push_back(a);
  }
  return out;
}

Json json_of(const protocol::Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* yes = std::get_if<bool>(&value)) return *yes;
  return protocol::text_of(value);
}

// The settings that a file has; of a private run apart from the others.
Json settings_json(const protocol::Settings& settings, bool of_privacy) {
  const protocol::Settings meant = protocol::with_defaults(settings);
  Json out = Json::object();
  for (const protocol::Setting& setting : protocol::settings_table()) {
    if (!setting.section.empty() && setting.private_run == of_privacy && protocol::has_line(setting, meant))
      out[std::string(setting.name)] = json_of(setting.get(meant));
  }
  return out;
}

std::string privacy_words(const protocol::Settings& s) {
  if (!s.epsilon || !s.delta) return {};
  return fmt::format(", private with epsilon {:g} and delta {:g} for about {} columns, {} honest members", *s.epsilon,
                     *s.delta, s.columns.value_or(0), s.assume_honest ? fmt::format("{}", *s.assume_honest) : "auto");
}

Json json_of(const consortium::Consortium& consortium, const Findings& findings) {
  Json members = Json::array();
  for (const consortium::Member& member : consortium.members) {
    members.push_back({{"name", member.identity.name()},
                       {"address", member.address ? Json(identity::text_of(*member.address)) : Json(nullptr)},
                       {"neighbours", neighbours_of(consortium, member.identity.name())},
                       {"valid_until", identity::day_text(member.identity.valid_until())},
                       {"steward", member.steward ? Json(member.steward->name()) : Json(nullptr)},
                       {"fingerprint", hex(member.identity.fingerprint())}});
  }
  const Json relay = !consortium.relay ? Json(nullptr)
                                       : Json{{"name", consortium.relay->identity.name()},
                                              {"address", identity::text_of(consortium.relay->address)},
                                              {"fingerprint", hex(consortium.relay->identity.fingerprint())}};
  Json problems = Json::array();
  for (const consortium::Problem& problem : findings.problems) {
    problems.push_back({{"severity", problem.severity == consortium::Severity::kRefusal ? "refusal" : "warning"},
                        {"sentence", in_flags(problem.sentence)}});
  }
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {
      {"digits", or_null(findings.digits)},
      {"digest", or_null(findings.digest)},
      {"rows", consortium.rows},
      {"rank", json_of(protocol::find_setting("rank")->get(consortium.settings))},
      {"scheme", protocol::word_of(protocol::scheme_of(consortium.settings))},
      {"privacy", protocol::is_private(consortium.settings) ? settings_json(consortium.settings, true) : Json(nullptr)},
      {"settings", settings_json(consortium.settings, false)},
      {"members", members},
      {"relay", relay},
      {"notes", findings.notes},
      {"problems", problems}};
}

void print(const consortium::Consortium& consortium, const Findings& findings) {
  const protocol::Settings& s = consortium.settings;
  const auto keys = protocol::key_options(s);
  fmt::print("{} members, {} rows{}, rank {}, scheme {}{}{}\n\n", consortium.members.size(), consortium.rows,
             consortium.row_names.empty() ? "" : " with names",
             protocol::text_of(protocol::find_setting("rank")->get(s)), protocol::word_of(protocol::scheme_of(s)),
             keys ? fmt::format(", {}-bit keys", keys->bits) : "", privacy_words(s));
  std::size_t name_width = 6;
  std::size_t address_width = 10;
  for (const consortium::Member& member : consortium.members) {
    name_width = std::max(name_width, member.identity.name().size());
    if (member.address) address_width = std::max(address_width, identity::text_of(*member.address).size());
  }
  fmt::print("{:{}}  {:{}}  valid until  neighbours\n", "member", name_width, "listens at", address_width);
  for (const consortium::Member& member : consortium.members) {
    fmt::print("{:{}}  {:{}}  {}   {}\n", member.identity.name(), name_width,
               member.address ? identity::text_of(*member.address) : "-", address_width,
               identity::day_text(member.identity.valid_until()),
               fmt::join(neighbours_of(consortium, member.identity.name()), ", "));
  }
  fmt::print("\n");
  for (const consortium::Member& member : consortium.members) {
    if (member.steward)
      fmt::print("{} takes part only with the approval of its steward, {}.\n", member.identity.name(),
                 member.steward->name());
  }
  if (consortium.relay) {
    fmt::print(
        "Members that cannot connect to each other meet at {}, which {} runs: it sees who sends how much and when, and "
        "nothing of what is sent.\n",
        identity::text_of(consortium.relay->address), consortium.relay->identity.name());
  }
  for (const std::string& note : findings.notes) fmt::print("{}\n", note);
  for (const consortium::Problem& problem : findings.problems)
    fmt::print("{}: {}\n", problem.severity == consortium::Severity::kRefusal ? "refused" : "warning",
               in_flags(problem.sentence));
  if (!findings.digits.empty()) fmt::print("\ncompare over the telephone: {}\n", findings.digits);
}

struct CheckOptions {
  std::filesystem::path file;
  bool json = false;
  bool quiet = false;
};

}  // namespace

Status show_consortium(const consortium::Consortium& consortium, const std::string& place, bool json, bool quiet) {
  Findings findings = find(consortium);
  if (json) fmt::print("{}\n", json_of(consortium, findings).dump(2));
  if (!json && !quiet) print(consortium, findings);
  if (!findings.outcome) return at(place, std::move(findings.outcome).error());
  return {};
}

void add_consortium(CLI::App& app, Status& outcome) {
  CLI::App* group = app.add_subcommand("consortium", "The file on which the members of a run agree");
  group->require_subcommand(1);
  group->footer("Example: ppdnmf consortium check trial.toml");
  add_consortium_new(*group, outcome);
  add_consortium_without(*group, outcome);
  CLI::App* command =
      group->add_subcommand("check", "Say what would happen, who could isolate whom, and what to change");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("FILE", options->file, "a file made by 'ppdnmf consortium new'")->required();
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->add_flag("--quiet", options->quiet, "print only errors");
  command->footer("Example: ppdnmf consortium check trial.toml");
  command->callback([options, &outcome] {
    outcome = [&]() -> Status {
      PPDNMF_TRY(const consortium::Consortium consortium, consortium::read_consortium(options->file));
      return show_consortium(consortium, options->file.string(), options->json, options->quiet);
    }();
  });
}

}  // namespace ppdnmf::app
