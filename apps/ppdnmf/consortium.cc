#include "apps/ppdnmf/consortium.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/commands.h"
#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/run_settings.h>
#include <ppdnmf/identity/day.h>

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

std::string exchange_name(consortium::AgreedExchange exchange) {
  return exchange == consortium::AgreedExchange::kSum ? "sum" : exchange == consortium::AgreedExchange::kHardened ? "hardened" : "as printed";
}

std::vector<std::string> neighbours_of(const consortium::Consortium& consortium, const std::string& name) {
  std::vector<std::string> out;
  for (const auto& [a, b] : consortium.edges) {
    if (a == name) out.push_back(b);
    if (b == name && a != b) out.push_back(a);
  }
  return out;
}

Json privacy_json(const std::optional<consortium::AgreedPrivacy>& privacy) {
  if (!privacy) return nullptr;
  return {{"epsilon", privacy->budget.epsilon},
          {"delta", privacy->budget.delta},
          {"normalise", privacy->normalise == nmf::ColumnNorm::kL1 ? "l1" : "l2"},
          {"assume_honest", privacy->assume_honest},
          {"columns", privacy->columns}};
}

std::string privacy_words(const std::optional<consortium::AgreedPrivacy>& privacy) {
  if (!privacy) return {};
  return fmt::format(", private with epsilon {:g} and delta {:g} for about {} columns, {} honest members",
                     privacy->budget.epsilon, privacy->budget.delta, privacy->columns, privacy->assume_honest);
}

Json json_of(const consortium::Consortium& consortium, const Findings& findings) {
  Json members = Json::array();
  for (const consortium::Member& member : consortium.members) {
    members.push_back({{"name", member.identity.name()},
                       {"address", member.address ? Json(consortium::text_of(*member.address)) : Json(nullptr)},
                       {"neighbours", neighbours_of(consortium, member.identity.name())},
                       {"valid_until", identity::day_text(member.identity.valid_until())},
                       {"fingerprint", hex(member.identity.fingerprint())}});
  }
  Json problems = Json::array();
  for (const consortium::Problem& problem : findings.problems) {
    problems.push_back(
        {{"severity", problem.severity == consortium::Severity::kRefusal ? "refusal" : "warning"}, {"sentence", problem.sentence}});
  }
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {{"digits", or_null(findings.digits)},
          {"digest", or_null(findings.digest)},
          {"rows", consortium.settings.rows},
          {"rank", consortium.settings.rank},
          {"exchange", exchange_name(consortium.settings.exchange)},
          {"privacy", privacy_json(consortium.settings.privacy)},
          {"members", members},
          {"notes", findings.notes},
          {"problems", problems}};
}

void print(const consortium::Consortium& consortium, const Findings& findings) {
  const consortium::AgreedSettings& s = consortium.settings;
  fmt::print("{} members, {} rows{}, rank {}, exchange {}{}{}\n\n", consortium.members.size(), s.rows,
             s.row_names.empty() ? "" : " with names", s.rank, exchange_name(s.exchange),
             consortium::key_options(s) ? fmt::format(", {}-bit keys", s.key_bits) : "", privacy_words(s.privacy));
  std::size_t name_width = 6;
  std::size_t address_width = 10;
  for (const consortium::Member& member : consortium.members) {
    name_width = std::max(name_width, member.identity.name().size());
    if (member.address) address_width = std::max(address_width, consortium::text_of(*member.address).size());
  }
  fmt::print("{:{}}  {:{}}  valid until  neighbours\n", "member", name_width, "listens at", address_width);
  for (const consortium::Member& member : consortium.members) {
    fmt::print("{:{}}  {:{}}  {}   {}\n", member.identity.name(), name_width,
               member.address ? consortium::text_of(*member.address) : "-", address_width, identity::day_text(member.identity.valid_until()),
               fmt::join(neighbours_of(consortium, member.identity.name()), ", "));
  }
  fmt::print("\n");
  for (const std::string& note : findings.notes) fmt::print("{}\n", note);
  for (const consortium::Problem& problem : findings.problems)
    fmt::print("{}: {}\n", problem.severity == consortium::Severity::kRefusal ? "refused" : "warning", problem.sentence);
  if (!findings.digits.empty()) fmt::print("\ncompare over the telephone: {}\n", findings.digits);
}

struct CheckOptions {
  std::filesystem::path file;
  bool json = false;
  bool quiet = false;
};

}  // namespace

consortium::AgreedSettings agreed_on(const protocol::RunSettings& run, const run::FactorOptions& factor, const run::NetworkOptions& network) {
  consortium::AgreedSettings s = consortium::agreed_settings(run);
  s.cipher_none = network.cipher == "none";
  s.key_bits = static_cast<int>(std::min<std::size_t>(network.key_bits, std::numeric_limits<int>::max()));
  s.key_profile = network.key_profile == "fast" ? crypto::KeyProfile::kFast : crypto::KeyProfile::kStandard;
  s.max_seconds = factor.max_seconds;
  return s;
}

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
  CLI::App* command = group->add_subcommand("check", "What would happen, who could isolate whom, what to change");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("FILE", options->file, "a file of 'ppdnmf consortium new'")->required();
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->add_flag("--quiet", options->quiet, "print nothing but errors");
  command->footer("Example: ppdnmf consortium check trial.toml");
  command->callback([options, &outcome] {
    outcome = [&]() -> Status {
      PPDNMF_TRY(const consortium::Consortium consortium, consortium::read_consortium(options->file));
      return show_consortium(consortium, options->file.string(), options->json, options->quiet);
    }();
  });
}

}  // namespace ppdnmf::app
