#include <fmt/core.h>
#include <fmt/ranges.h>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/consortium/internal/quoted.h>
#include <ppdnmf/consortium/internal/sections.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::consortium {
namespace {

// Names have no letter that a TOML text would have to escape, and addresses neither.
std::string in_toml(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string name_list(std::string_view key, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string out = fmt::format("{} = [\n", key);
  for (const std::string& name : names) out += fmt::format("  {},\n", in_toml(name));
  return out + "]\n";
}

std::string row_names_text(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string out = "row_names = [\n";
  for (const std::string& name : names) out += "  " + internal::quoted(name) + ",\n";
  return out + "]\n";
}

std::string digest_entry(std::string_view key, const std::optional<Digest>& digest) {
  return digest ? fmt::format("{} = {}\n", key, in_toml(hex(*digest))) : "";
}

std::string setting_text(const protocol::Setting& setting, const protocol::Settings& settings) {
  const protocol::Value value = setting.get(settings);
  const bool word = std::holds_alternative<std::string>(value) || std::holds_alternative<std::monostate>(value);
  const std::string text = protocol::text_of(value);
  return fmt::format("{} = {}\n", setting.name, word ? in_toml(text) : text);
}

// Everything that the scheme knows, also where it is the default: a file says what its members agreed on.
std::string settings_text(const Consortium& consortium) {
  const protocol::Settings meant = protocol::with_defaults(consortium.settings);
  std::string out;
  for (const std::string_view section : internal::kSections) {
    out += fmt::format("\n[{}]\n", section);
    if (section == "data") out += fmt::format("rows = {}\n", consortium.rows) + row_names_text(consortium.row_names);
    if (section == "run") {
      out += digest_entry("start_from", consortium.start_from);
      out += digest_entry("known", consortium.known);
    }
    for (const protocol::Setting& setting : protocol::settings_table()) {
      if (setting.section == section && protocol::has_line(setting, meant)) out += setting_text(setting, meant);
    }
  }
  return out;
}

std::string identity_entry(std::string_view key, const identity::PublicIdentity& identity) {
  constexpr std::size_t kLine = 64;
  const std::string letters = base64(identity.encode());
  std::string out = fmt::format("{} = \"\"\"\n", key);
  for (std::size_t i = 0; i < letters.size(); i += kLine) out += letters.substr(i, kLine) + "\n";
  return out + "\"\"\"\n";
}

std::string member_text(const Member& member) {
  std::string out = fmt::format("\n[[member]]\nname = {}\n", in_toml(member.identity.name()));
  if (member.address) out += fmt::format("address = {}\n", in_toml(text_of(*member.address)));
  out += identity_entry("identity", member.identity);
  // Who answers for this member's data.
  if (member.steward) out += identity_entry("steward", *member.steward);
  return out;
}

}  // namespace

std::string write_consortium(const Consortium& consortium) {
  std::string out =
      "# A consortium of ppdnmf. Every member needs this file; only the addresses may differ.\n"
      "# 'ppdnmf consortium check' on it prints the digits to compare over the telephone.\n"
      "format = 1\n\nedges = [\n";
  for (const auto& [a, b] : consortium.edges) out += fmt::format("  [{}, {}],\n", in_toml(a), in_toml(b));
  out += "]\n";
  out += name_list("allow_degree_one", consortium.allow_degree_one);
  out += name_list("allow_few_columns", consortium.allow_few_columns);
  out += name_list("allow_difference_of", consortium.allow_difference_of);
  if (consortium.relay) {
    out += fmt::format("\n# Passes bytes on between members that cannot connect to each other.\nrelay = {}\n",
                       in_toml(text_of(consortium.relay->address)));
    out += identity_entry("relay_identity", consortium.relay->identity);
  }
  out += settings_text(consortium);
  if (consortium.throw_away_seed) {
    out += fmt::format(
        "\n# Every secret follows from this seed. For runs on one machine that protect nothing.\n"
        "[throw_away]\nseed = \"{}\"\n",
        *consortium.throw_away_seed);
  }
  for (const Member& member : consortium.members) out += member_text(member);
  return out;
}

}  // namespace ppdnmf::consortium
