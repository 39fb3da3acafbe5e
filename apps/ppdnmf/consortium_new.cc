#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

#include "apps/ppdnmf/consortium.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/options.h"
#include <ppdnmf/consortium/defaults.h>
#include <ppdnmf/consortium/member_data.h>
#include <ppdnmf/identity/files.h>
#include <ppdnmf/io/row_names.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::app {
namespace {

struct Options {
  std::vector<std::string> members;
  std::vector<std::string> stewards;
  std::optional<std::int64_t> rows;
  std::filesystem::path row_names;
  protocol::Settings settings;
  std::uint64_t seed = 1;
  std::string topology = "auto";
  std::string relay;
  std::filesystem::path start_from, known;
  std::vector<std::string> allow_degree_one, allow_few_columns, allow_difference_of;
  ConsortiumOutput output;
};

// "FILE.pub@HOST:PORT", or "FILE.pub" for a member that does not listen.
Result<consortium::Member> read_member(const std::string& text) {
  const std::size_t sign = text.rfind('@');
  PPDNMF_TRY(identity::PublicIdentity identity, identity::read_public_identity(text.substr(0, sign)));
  consortium::Member member{std::move(identity), std::nullopt};
  if (sign == std::string::npos) return member;
  auto address = identity::parse_address(text.substr(sign + 1));
  if (!address) return at("--member " + io::printable(text), std::move(address).error());
  member.address = *std::move(address);
  return member;
}

// "FILE.pub@HOST:PORT".
Result<consortium::RelayEntry> read_relay(const std::string& text) {
  const std::size_t sign = text.rfind('@');
  if (sign == std::string::npos)
    return error(ErrorCode::kUsage, "--relay {}: must be FILE.pub@HOST:PORT", io::in_quotes(text));
  PPDNMF_TRY(identity::PublicIdentity identity, identity::read_public_identity(text.substr(0, sign)));
  auto address = identity::parse_address(text.substr(sign + 1));
  if (!address) return at("--relay " + io::printable(text), std::move(address).error());
  return consortium::RelayEntry{std::move(identity), *std::move(address)};
}

// "MEMBER=FILE.pub": who answers for a member's data.
Status take_steward(const std::string& text, consortium::Consortium& consortium) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos)
    return error(ErrorCode::kUsage, "--steward {}: must be MEMBER=FILE.pub", io::in_quotes(text));
  for (consortium::Member& member : consortium.members) {
    if (member.identity.name() != text.substr(0, sign)) continue;
    PPDNMF_TRY(member.steward, identity::read_public_identity(text.substr(sign + 1)));
    return {};
  }
  return error(ErrorCode::kUsage, "--steward {}: there is no such member", io::in_quotes(text));
}

Status take_known(const Options& options, consortium::Consortium& consortium) {
  if (options.known.empty()) return {};
  PPDNMF_TRY(const auto known, consortium::read_known(options.known.string(), consortium));
  consortium.known = consortium::known_digest(*known);
  return {};
}

// What the members agree on, as numbers wherever they can be chosen before anybody has seen data.
Status agree(const Options& options, const protocol::Graph& graph, consortium::Consortium& out) {
  if (!options.row_names.empty()) {
    PPDNMF_TRY(out.row_names, io::read_row_names(options.row_names));
  } else if (*options.rows < 1) {
    return error(ErrorCode::kUsage, "`rows` must be at least 1, not {}", *options.rows);
  }
  out.rows = out.row_names.empty() ? *options.rows : static_cast<std::int64_t>(out.row_names.size());
  PPDNMF_TRY(const protocol::Settings settings, consortium::private_by_default(options.settings));
  PPDNMF_TRY(const protocol::RunSettings run, protocol::make_run_settings(settings, out.rows, graph));
  out.settings = run.said;
  PPDNMF_TRY_STATUS(take_known(options, out));
  return take_start_from(options.start_from, out);
}

Result<consortium::Consortium> make_consortium(const Options& options) {
  consortium::Consortium out;
  for (const std::string& text : options.members) {
    PPDNMF_TRY(consortium::Member member, read_member(text));
    out.members.push_back(std::move(member));
  }
  for (const std::string& text : options.stewards) PPDNMF_TRY_STATUS(take_steward(text, out));
  if (!options.relay.empty()) {
    PPDNMF_TRY(out.relay, read_relay(options.relay));
  }
  PPDNMF_TRY(const protocol::Graph graph, load_members_graph(options.topology, options.seed, out));
  for (const auto& [a, b] : graph.edges())
    out.edges.emplace_back(out.members[a].identity.name(), out.members[b].identity.name());
  PPDNMF_TRY_STATUS(agree(options, graph, out));
  out.allow_degree_one = options.allow_degree_one;
  out.allow_few_columns = options.allow_few_columns;
  out.allow_difference_of = options.allow_difference_of;
  return out;
}

Status run_new(const Options& options) {
  PPDNMF_TRY_STATUS(check_free(options.output.out, options.output.force));
  PPDNMF_TRY(const consortium::Consortium consortium, make_consortium(options));
  PPDNMF_TRY_STATUS(write_checked(consortium, options.output.out));
  return show_consortium(consortium, options.output.out.string(), options.output.json, options.output.quiet);
}

}  // namespace

void add_consortium_new(CLI::App& group, Status& outcome) {
  CLI::App* command = group.add_subcommand("new", "Write the file that all members need");
  auto o = std::make_shared<Options>();
  command
      ->add_option("--member", o->members,
                   "FILE.pub@HOST:PORT, once for each member; a member without @HOST:PORT does not listen")
      ->required()
      ->allow_extra_args(false);
  command
      ->add_option("--steward", o->stewards,
                   "MEMBER=FILE.pub: a member that takes part only with this one's approval (see 'approve')")
      ->allow_extra_args(false);
  command->add_option("--relay", o->relay,
                      "FILE.pub@HOST:PORT of a relay (see 'relay'), for members that cannot connect to each other");
  add_seed_option(*command, o->seed);
  add_setting_options(*command, o->settings, [](const protocol::Setting& s) { return !s.section.empty(); });
  command->get_option("--epsilon")
      ->description("the private run's budget (4); without --trust-members every run is private");
  command->get_option("--delta")->description("with it: above 0 and well below 1/columns (1e-6, or 1/(10 columns))");
  command->get_option("--normalise")
      ->description("divide every column by its sum (l1) or its length (l2); private runs: l2");
  command->get_option("--columns")
      ->description("about how many columns all members have together, as they say; rounded to one digit");
  command->get_option("--seed")->description("draws the graph of auto and random:D, and nothing else");
  add_topology_option(*command, o->topology);
  command->get_option("--topology")
      ->description(
          "auto: random:3 as far as members can be reached; random:D (mean degree), ring, line, star, "
          "complete, or a file of edges");
  auto* rows = command->add_option_group("rows", "one of these");
  rows->add_option("--rows", o->rows, "number of rows of everybody's data");
  rows->add_option("--row-names", o->row_names, "a file with the rows' names in order, one on each line");
  rows->require_option(1);
  command->add_option("--start-from", o->start_from, "continue from this X; only with --scheme sum");
  command->add_option("--known", o->known,
                      "columns of X that stay; every member needs this file. Only with --trust-members");
  const auto names = [&](const char* option, std::vector<std::string>& list, const char* what) {
    command->add_option(option, list, what)->allow_extra_args(false);
  };
  names("--allow-degree-one", o->allow_degree_one, "a member that may see its only neighbour's messages alone");
  names("--allow-few-columns", o->allow_few_columns, "a member that may have fewer than --min-columns");
  names("--allow-difference-of", o->allow_difference_of, "the lost member whose part the others may compute");
  add_consortium_output(*command, o->output);
  command->footer(
      "Example: ppdnmf consortium new --member a.pub@a.example:7443 --member b.pub@b.example:7443 --member c.pub "
      "--topology ring --rank 5 --row-names features.txt --columns 5000 --out trial.toml");
  command->callback([o, &outcome] { outcome = run_new(*o); });
}

}  // namespace ppdnmf::app
