#include <fmt/core.h>
#include <fmt/ranges.h>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/consortium/internal/quoted.h>

namespace ppdnmf::consortium {
namespace {

// Names have no letter that a TOML text would have to escape, and addresses neither.
std::string in_toml(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string automatic(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "\"auto\""; }

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

std::string_view name_of(AgreedExchange exchange) {
  switch (exchange) {
    case AgreedExchange::kHardened:
      return "hardened";
    case AgreedExchange::kSum:
      return "sum";
    case AgreedExchange::kAsPrinted:
      return "as-printed";
  }
  return "";
}

std::string privacy_text(const std::optional<AgreedPrivacy>& privacy) {
  if (!privacy) return {};
  return fmt::format("epsilon = {}\ndelta = {}\nnormalise = {}\nassume_honest = {}\ncolumns = {}\n",
                     privacy->budget.epsilon, privacy->budget.delta,
                     in_toml(privacy->normalise == nmf::ColumnNorm::kL1 ? "l1" : "l2"), privacy->assume_honest,
                     privacy->columns);
}

std::string settings_text(const AgreedSettings& s) {
  std::string out = fmt::format("\n[data]\nrows = {}\n", s.rows);
  out += row_names_text(s.row_names);
  out += fmt::format("rank = {}\n", s.rank);
  out += fmt::format("\n[run]\nexchange = {}\nupdates = {}\nstart = {}\n", in_toml(name_of(s.exchange)),
                     in_toml(s.updates == nmf::Updates::kCorrected ? "corrected" : "as-printed"),
                     in_toml(s.start == nmf::Start::kRandom ? "random" : "ones"));
  out += digest_entry("start_from", s.start_from);
  out += fmt::format("bcd = {}\nstarts = {}\nadmm_x = {}\nadmm_y = {}\nlocal_rounds = {}\n", s.bcd, s.starts, s.admm_x,
                     s.admm_y, s.local_rounds);
  out += fmt::format("tolerance = {}\nadmm_tolerance = {}\n", s.tolerance, s.admm_tolerance);
  out += fmt::format("mu = {}\neta = {}\nweight = {}\n", automatic(s.mu), automatic(s.eta), automatic(s.weight));
  out += privacy_text(s.privacy);
  out += fmt::format("\n[encryption]\ncipher = {}\nkey_bits = {}\nkey_profile = {}\nn_max = {}\nu_bound = {}\n",
                     in_toml(s.cipher_none ? "none" : "paillier"), s.key_bits,
                     in_toml(s.key_profile == crypto::KeyProfile::kFast ? "fast" : "standard"), s.n_max, s.u_bound);
  out += fmt::format("\n[limits]\nmin_columns = {}\nmax_seconds = {}\n", s.min_columns, s.max_seconds);
  return out;
}

std::string member_text(const Member& member) {
  constexpr std::size_t kLine = 64;
  std::string out = fmt::format("\n[[member]]\nname = {}\n", in_toml(member.identity.name()));
  if (member.address) out += fmt::format("address = {}\n", in_toml(text_of(*member.address)));
  const std::string letters = base64(member.identity.encode());
  out += "identity = \"\"\"\n";
  for (std::size_t i = 0; i < letters.size(); i += kLine) out += letters.substr(i, kLine) + "\n";
  return out + "\"\"\"\n";
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
  out += settings_text(consortium.settings);
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
