#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "apps/ppdnmf/consortium.h"
#include "apps/ppdnmf/network_options.h"
#include <ppdnmf/consortium/lost_member.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::app {
namespace {

struct WithoutOptions {
  std::vector<std::string> lost;
  std::filesystem::path file;
  std::string topology;
  std::uint64_t seed = 1;
  std::filesystem::path start_from;
  bool yes = false;
  ConsortiumOutput output;
};

Result<consortium::Consortium> make_next(const WithoutOptions& options) {
  PPDNMF_TRY(consortium::Consortium next, consortium::read_consortium(options.file));
  for (const std::string& lost : options.lost) {
    auto made = consortium::without_member(std::move(next), lost);
    if (!made) return at(options.file.string(), std::move(made).error());
    next = *std::move(made);
  }
  if (!options.topology.empty()) {
    PPDNMF_TRY(const protocol::Graph graph, load_members_graph(options.topology, options.seed, next));
    next.edges.clear();
    for (const auto& [a, b] : graph.edges())
      next.edges.emplace_back(next.members[a].identity.name(), next.members[b].identity.name());
  }
  PPDNMF_TRY_STATUS(take_start_from(options.start_from, next));
  if (next.start_from) next.allow_difference_of = options.lost;
  return next;
}

// Asks on the terminal whether what the notes say is agreed to.
Status agree_to_difference(const WithoutOptions& options, const consortium::Consortium& next) {
  const std::string lost = fmt::format("{}", fmt::join(options.lost, ", "));
  std::string said;
  for (const std::string& note : consortium::difference_notes(next, lost))
    said += fmt::format("Of {}: {}\n", lost, note);
  if (options.yes) {
    if (!options.output.quiet) fmt::print(stderr, "{}", said);
    return {};
  }
  fmt::print(stderr, "{}", said);
  if (::isatty(STDIN_FILENO) == 0)
    return error(ErrorCode::kUsage, "nothing was written: if this is agreed to, say so with --yes");
  fmt::print(stderr, "Do the others agree, and {} if they can be asked? [y/N] ", lost);
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "yes") return {};
  return error(ErrorCode::kUsage, "nothing was written");
}

Status run_without(const WithoutOptions& options) {
  PPDNMF_TRY_STATUS(check_free(options.output.out, options.output.force));
  PPDNMF_TRY(const consortium::Consortium next, make_next(options));
  PPDNMF_TRY_STATUS(agree_to_difference(options, next));
  PPDNMF_TRY_STATUS(write_checked(next, options.output.out));
  return show_consortium(next, options.output.out.string(), options.output.json, options.output.quiet);
}

}  // namespace

void add_consortium_without(CLI::App& group, Status& outcome) {
  CLI::App* command =
      group.add_subcommand("without", "Write the file with which the others go on when a member is lost");
  auto o = std::make_shared<WithoutOptions>();
  command->add_option("FILE", o->file, "the file of the run that lost it")->required();
  command->add_option("--lost", o->lost, "the name of the member that is lost; once for each of several")
      ->allow_extra_args(false)
      ->required();
  command->add_option("--start-from", o->start_from,
                      "continue from this X, which an agent that was interrupted left; only in exact runs of sum");
  command->add_option("--topology", o->topology,
                      "draw the graph anew, as in 'new'; else its neighbours are joined one after another");
  add_seed_option(*command, o->seed);
  command->get_option("--seed")->description("draws the graph of auto and random:D, and nothing else");
  command->add_flag("--yes", o->yes, "do not ask whether what the two runs tell about that member is agreed to");
  add_consortium_output(*command, o->output);
  command->footer(
      "Example: ppdnmf consortium without trial.toml --lost d --start-from run1/X_so_far.npy --out next.toml");
  command->callback([o, &outcome] { outcome = run_without(*o); });
}

}  // namespace ppdnmf::app
