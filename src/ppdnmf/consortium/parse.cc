#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/consortium/internal/fields.h>
#include <ppdnmf/consortium/internal/quoted.h>
#include <ppdnmf/consortium/internal/subset.h>
#include <ppdnmf/io/file.h>

namespace ppdnmf::consortium {
namespace {

using internal::Fields;

constexpr std::int64_t kMostRows = std::int64_t{1} << 40U;
constexpr std::int64_t kMostRank = std::int64_t{1} << 20U;
constexpr std::int64_t kMostIterations = 1'000'000'000;
constexpr std::int64_t kMostColumns = std::int64_t{1} << 40U;
constexpr std::size_t kMostAddressBytes = 270;

std::optional<Digest> optional_digest(Fields& in, std::string_view key) {
  if (!in.has(key)) return std::nullopt;
  const auto digest = parse_hex(in.text(key, 2 * sizeof(Digest)));
  if (!digest) in.fail(in.line_of(key), "'{}': {}", key, digest.error().message);
  return digest.value_or(Digest{});
}

// The names as internal::quoted wrote them.
std::vector<std::string> parse_row_names(Fields& in) {
  std::vector<std::string> names;
  const toml::array* list = in.array("row_names", kMostRowNames);
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

Status parse_data(const toml::table* table, AgreedSettings& s) {
  Fields in(table, "[data]");
  s.rows = in.integer("rows", 1, kMostRows);
  if (in.has("row_names")) s.row_names = parse_row_names(in);
  s.rank = in.integer("rank", 1, kMostRank);
  return in.status();
}

// All of it or nothing.
std::optional<AgreedPrivacy> parse_privacy(Fields& in) {
  const auto entries = {"epsilon", "delta", "normalise", "assume_honest", "columns"};
  if (std::none_of(entries.begin(), entries.end(), [&](const char* key) { return in.has(key); })) return std::nullopt;
  AgreedPrivacy privacy;
  privacy.budget = {in.number("epsilon"), in.number("delta")};
  privacy.normalise = in.choice("normalise", {"l1", "l2"}) == 0 ? nmf::ColumnNorm::kL1 : nmf::ColumnNorm::kL2;
  privacy.assume_honest = static_cast<std::uint32_t>(in.integer("assume_honest", 1, kMostMembers));
  privacy.columns = in.integer("columns", 1, kMostColumns);
  return privacy;
}

Status parse_run(const toml::table* table, AgreedSettings& s) {
  Fields in(table, "[run]");
  const auto count = [&](std::string_view key) { return static_cast<int>(in.integer(key, 1, kMostIterations)); };
  s.exchange = static_cast<AgreedExchange>(in.choice("exchange", {"hardened", "sum", "as-printed"}));
  s.updates = in.choice("updates", {"corrected", "as-printed"}) == 0 ? nmf::Updates::kCorrected : nmf::Updates::kAsPrinted;
  s.start = in.choice("start", {"random", "ones"}) == 0 ? nmf::Start::kRandom : nmf::Start::kOnes;
  s.start_from = optional_digest(in, "start_from");
  s.bcd = count("bcd");
  s.starts = count("starts");
  s.admm_x = count("admm_x");
  s.admm_y = count("admm_y");
  s.local_rounds = count("local_rounds");
  s.tolerance = in.number("tolerance");
  s.admm_tolerance = in.number("admm_tolerance");
  s.mu = in.automatic("mu");
  s.eta = in.automatic("eta");
  s.weight = in.automatic("weight");
  s.privacy = parse_privacy(in);
  return in.status();
}

Status parse_encryption(const toml::table* table, AgreedSettings& s) {
  Fields in(table, "[encryption]");
  s.cipher_none = in.choice("cipher", {"paillier", "none"}) == 1;
  s.key_bits = static_cast<int>(in.integer("key_bits", 1, 1 << 20));
  s.key_profile = in.choice("key_profile", {"standard", "fast"}) == 0 ? crypto::KeyProfile::kStandard : crypto::KeyProfile::kFast;
  s.n_max = in.integer("n_max", 1, std::int64_t{1} << 62U);
  s.u_bound = in.number("u_bound");
  return in.status();
}

Status parse_limits(const toml::table* table, AgreedSettings& s) {
  Fields in(table, "[limits]");
  s.min_columns = static_cast<int>(in.integer("min_columns", 0, kMostIterations));
  s.max_seconds = in.number("max_seconds");
  return in.status();
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

Result<Member> parse_member(const toml::table* table) {
  Fields in(table, "[[member]]");
  const std::string name = in.text("name", identity::kMaxNameBytes);
  const std::string identity = in.text("identity", identity::kMaxIdentityBytes);
  const std::string address = in.has("address") ? in.text("address", kMostAddressBytes) : "";
  const auto refuse = [&](std::string_view key, const std::string& why) {
    in.fail(in.line_of(key), "the member {}: {}", io::in_quotes(name), why);
  };
  const auto bytes = parse_base64(identity);
  auto shown = bytes ? identity::PublicIdentity::decode(*bytes) : Result<identity::PublicIdentity>(tl::unexpected(bytes.error()));
  if (!shown) refuse("identity", shown.error().message);
  if (shown && shown->name() != name)
    refuse("name", fmt::format("its identity is that of {}: the names must be the same", shown->name()));
  auto parsed = in.has("address") ? parse_address(address).map([](Address a) { return std::optional(std::move(a)); })
                                  : Result<std::optional<Address>>();
  if (!parsed) refuse("address", parsed.error().message);
  PPDNMF_TRY_STATUS(in.status());
  return Member{*std::move(shown), *std::move(parsed)};
}

Status parse_members(const toml::array& list, std::vector<Member>& members) {
  for (const toml::node& node : list) {
    PPDNMF_TRY(Member member, parse_member(node.as_table()));
    members.push_back(std::move(member));
  }
  return {};
}

void parse_edges(Fields& in, std::vector<std::pair<std::string, std::string>>& edges) {
  const toml::array* list = in.array("edges", kMostEdges);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const toml::array* pair = (*list)[i].as_array();
    if (pair == nullptr || pair->size() != 2) {
      in.fail((*list)[i].source().begin.line, "an edge must be two names, as [\"a\", \"b\"]");
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
    return in.has(key) ? in.names(key, kMostMembers) : std::vector<std::string>();
  };
  out.allow_degree_one = allowed("allow_degree_one");
  out.allow_few_columns = allowed("allow_few_columns");
  out.allow_difference_of = allowed("allow_difference_of");
  const toml::table* data = in.table("data");
  const toml::table* run = in.table("run");
  const toml::table* encryption = in.table("encryption");
  const toml::table* limits = in.table("limits");
  const toml::table* throw_away = in.has("throw_away") ? in.table("throw_away") : nullptr;
  const toml::array* members = in.array("member", kMostMembers);
  PPDNMF_TRY_STATUS(in.status());
  PPDNMF_TRY_STATUS(parse_data(data, out.settings));
  PPDNMF_TRY_STATUS(parse_run(run, out.settings));
  PPDNMF_TRY_STATUS(parse_encryption(encryption, out.settings));
  PPDNMF_TRY_STATUS(parse_limits(limits, out.settings));
  if (throw_away != nullptr) {
    PPDNMF_TRY(out.throw_away_seed, parse_throw_away(throw_away));
  }
  PPDNMF_TRY_STATUS(parse_members(*members, out.members));
  return out;
}

}  // namespace

Result<Consortium> parse_consortium(std::string_view text) {
  if (text.size() > kMostConsortiumBytes)
    return error(ErrorCode::kInvalidData, "is longer than {} bytes", kMostConsortiumBytes);
  PPDNMF_TRY_STATUS(internal::check_subset(text));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return error(ErrorCode::kInvalidData, "line {}: is not TOML: {}", parsed.error().source().begin.line,
                 io::printable(parsed.error().description()));
  }
  return parse_root(parsed.table());
}

Result<Consortium> read_consortium(const std::filesystem::path& path) {
  PPDNMF_TRY(const Bytes bytes, io::read_file(path, kMostConsortiumBytes));
  auto consortium = parse_consortium(io::as_text(bytes));
  if (!consortium) return at(path.string(), std::move(consortium).error());
  return consortium;
}

}  // namespace ppdnmf::consortium
