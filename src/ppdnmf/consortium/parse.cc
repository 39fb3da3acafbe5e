#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/consortium/internal/fields.h>
#include <ppdnmf/consortium/internal/quoted.h>
#include <ppdnmf/consortium/internal/sections.h>
#include <ppdnmf/consortium/internal/subset.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::consortium {
namespace {

using internal::Fields;

constexpr std::int64_t kMaxRows = std::int64_t{1} << 40U;
constexpr std::size_t kMaxAddressBytes = 270;

std::optional<Digest> optional_digest(Fields& in, std::string_view key) {
  if (!in.has(key)) return std::nullopt;
  const auto digest = parse_hex(in.text(key, 2 * sizeof(Digest)));
  if (!digest) in.fail(in.line_of(key), "'{}': {}", key, digest.error().message);
  return digest.value_or(Digest{});
}

// The names as internal::quoted wrote them.
std::vector<std::string> parse_row_names(Fields& in) {
  std::vector<std::string> names;
  const toml::array* list = in.array("row_names", kMaxRowNames);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto* text = (*list)[i].as_string();
    auto name = text != nullptr ? internal::parse_quoted(text->get()) : std::nullopt;
    if (!name) {
      in.fail((*list)[i].source().begin.line, "'row_names' must hold texts, with % and two digits for other letters");
      return {};
    }
    names.push_back(*std::move(name));
  }
  return names;
}

// An entry of the private settings makes the others necessary.
bool says_private(const Fields& in) {
  const auto table = protocol::settings_table();
  return std::any_of(table.begin(), table.end(),
                     [&](const protocol::Setting& s) { return s.private_run && in.has(s.name); });
}

// One table of the file. The scheme says which entries belong to it.
Status parse_section(const toml::table* table, std::string_view section, protocol::SchemeKind scheme, Consortium& out) {
  Fields in(table, fmt::format("[{}]", section));
  if (section == "data") {
    out.rows = in.integer("rows", 1, kMaxRows);
    if (in.has("row_names")) out.row_names = parse_row_names(in);
  }
  if (section == "run") {
    out.start_from = optional_digest(in, "start_from");
    out.known = optional_digest(in, "known");
  }
  for (const protocol::Setting& setting : protocol::settings_table()) {
    if (setting.section != section || !setting.knows(scheme)) continue;
    const bool needed =
        !setting.later && (says_private(in) || !(setting.private_run || protocol::can_be_left_out(setting)));
    if (needed || in.has(setting.name)) in.setting(setting, out.settings);
  }
  return in.status();
}

// What the other entries depend on.
Result<protocol::SchemeKind> parse_scheme(const toml::table* run) {
  Fields in(run, "[run]");
  protocol::Settings settings;
  in.setting(*protocol::find_setting("scheme"), settings);
  PPDNMF_TRY_STATUS(in.status_so_far());
  return protocol::scheme_of(settings);
}

Result<std::uint64_t> parse_throw_away(const toml::table* table) {
  Fields in(table, "[throw_away]");
  const std::string digits = in.text("seed", 20);
  std::uint64_t seed = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (status != std::errc() || end != digits.data() + digits.size())
    in.fail(in.line_of("seed"), "'seed' must be a text of digits, as \"1\"");
  PPDNMF_TRY_STATUS(in.status());
  return seed;
}

Result<identity::PublicIdentity> parse_identity(const std::string& letters) {
  PPDNMF_TRY(const Bytes bytes, parse_base64(letters));
  return identity::PublicIdentity::decode(bytes);
}

Result<Member> parse_member(const toml::table* table) {
  Fields in(table, "[[member]]");
  const std::string name = in.text("name", identity::kMaxNameBytes);
  const std::string identity = in.text("identity", identity::kMaxIdentityBytes);
  const std::string steward = in.has("steward") ? in.text("steward", identity::kMaxIdentityBytes) : "";
  const std::string address = in.has("address") ? in.text("address", kMaxAddressBytes) : "";
  const auto refuse = [&](std::string_view key, const std::string& why) {
    in.fail(in.line_of(key), "the member {}: {}", io::in_quotes(name), why);
  };
  auto shown = parse_identity(identity);
  if (!shown) refuse("identity", shown.error().message);
  if (shown && shown->name() != name)
    refuse("name", fmt::format("its identity is that of {}: the names must be the same", shown->name()));
  auto parsed =
      in.has("address")
          ? identity::parse_address(address).map([](identity::Address a) { return std::optional(std::move(a)); })
          : Result<std::optional<identity::Address>>();
  if (!parsed) refuse("address", parsed.error().message);
  std::optional<identity::PublicIdentity> keeper;
  if (in.has("steward")) {
    auto found = parse_identity(steward);
    if (!found) refuse("steward", "its steward: " + found.error().message);
    if (found) keeper = *std::move(found);
  }
  PPDNMF_TRY_STATUS(in.status());
  return Member{*std::move(shown), *std::move(parsed), std::move(keeper)};
}

Result<RelayEntry> parse_relay(const std::string& place, const std::string& letters, std::size_t line) {
  const std::string where = fmt::format("line {}: the relay", line);
  auto identity = parse_identity(letters);
  if (!identity) return error(ErrorCode::kInvalidData, "{}: {}", where, identity.error().message);
  auto address = identity::parse_address(place);
  if (!address) return error(ErrorCode::kInvalidData, "{}: {}", where, address.error().message);
  return RelayEntry{*std::move(identity), *std::move(address)};
}

Status parse_members(const toml::array& list, std::vector<Member>& members) {
  for (const toml::node& node : list) {
    PPDNMF_TRY(Member member, parse_member(node.as_table()));
    members.push_back(std::move(member));
  }
  return {};
}

void parse_edges(Fields& in, std::vector<std::pair<std::string, std::string>>& edges) {
  const toml::array* list = in.array("edges", kMaxEdges);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const toml::array* pair = (*list)[i].as_array();
    if (pair == nullptr || pair->size() != 2) {
      in.fail((*list)[i].source().begin.line, R"(an edge must be two names, as ["a", "b"])");
      return;
    }
    edges.emplace_back(in.name_in(*pair, 0, "edges"), in.name_in(*pair, 1, "edges"));
  }
}

Result<Consortium> parse_root(const toml::table& root) {
  Fields in(&root, "the file");
  (void)in.integer("format", 1, 1);
  Consortium out;
  parse_edges(in, out.edges);
  const auto allowed = [&](std::string_view key) {
    return in.has(key) ? in.names(key, kMaxMembers) : std::vector<std::string>();
  };
  out.allow_degree_one = allowed("allow_degree_one");
  out.allow_few_columns = allowed("allow_few_columns");
  out.allow_difference_of = allowed("allow_difference_of");
  std::array<const toml::table*, internal::kSections.size()> sections{};
  std::transform(internal::kSections.begin(), internal::kSections.end(), sections.begin(),
                 [&](std::string_view section) { return in.table(section); });
  const toml::table* throw_away = in.has("throw_away") ? in.table("throw_away") : nullptr;
  const toml::array* members = in.array("member", kMaxMembers);
  const bool relayed = in.has("relay") || in.has("relay_identity");
  const std::string place = relayed ? in.text("relay", kMaxAddressBytes) : "";
  const std::string relay_identity = relayed ? in.text("relay_identity", identity::kMaxIdentityBytes) : "";
  PPDNMF_TRY_STATUS(in.status());
  if (relayed) {
    PPDNMF_TRY(out.relay, parse_relay(place, relay_identity, in.line_of("relay")));
  }
  PPDNMF_TRY(const protocol::SchemeKind scheme, parse_scheme(sections[1]));
  for (std::size_t i = 0; i < sections.size(); ++i)
    PPDNMF_TRY_STATUS(parse_section(sections[i], internal::kSections[i], scheme, out));
  if (throw_away != nullptr) {
    PPDNMF_TRY(out.throw_away_seed, parse_throw_away(throw_away));
  }
  PPDNMF_TRY_STATUS(parse_members(*members, out.members));
  return out;
}

}  // namespace

Result<Consortium> parse_consortium(std::string_view text) {
  if (text.size() > kMaxConsortiumBytes)
    return error(ErrorCode::kInvalidData, "is longer than {} bytes", kMaxConsortiumBytes);
  PPDNMF_TRY_STATUS(internal::check_subset(text));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return error(ErrorCode::kInvalidData, "line {}: is not TOML: {}", parsed.error().source().begin.line,
                 io::printable(parsed.error().description()));
  }
  return parse_root(parsed.table());
}

Result<Consortium> read_consortium(const std::filesystem::path& path) {
  PPDNMF_TRY(const Bytes bytes, io::read_file(path, kMaxConsortiumBytes));
  auto consortium = parse_consortium(io::as_text(bytes));
  if (!consortium) return at(path.string(), std::move(consortium).error());
  return consortium;
}

}  // namespace ppdnmf::consortium
