#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_audit.h"

namespace ppdnmf::app {

void add_audit(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("audit", "Attack the schemes, or judge a planned run");
  auto options = std::make_shared<AuditOptions>();
  command->add_flag("--quick", options->quick, "fewer seeds, in less than a minute");
  command->add_option("--attacks", options->attacks, "these alone, as A14,A15")->delimiter(',');
  add_seed_option(*command, options->seed);
  add_threads_option(*command, options->threads);
  add_output_options(*command, options->output);
  command->get_option("--json")->description("print audit.json instead of a table");
  options->output.out = "out/audit";
  command->get_option("--out")->default_str(options->output.out.string());
  const auto* group = "Judge a planned run instead of attacking";
  command->add_option("--consortium", options->consortium, "a file made by 'ppdnmf consortium new'")->group(group);
  command->add_option("--columns", options->columns, "columns of each agent, as 120,80,40")
      ->delimiter(',')
      ->group(group);
  command->add_option("--topology", options->topology, "without a file: the topology, as in simulate")->group(group);
  command->add_option("--agents", options->agents, "without a file: the number of agents")
      ->check(CLI::Range(1U, 1000U))
      ->group(group);
  command->add_option("--rows", options->rows, "without a file: rows of the data")
      ->check(CLI::Range(Index{1}, Index{1} << 30))
      ->capture_default_str()
      ->group(group);
  add_setting_options(*command, options->settings, [](const protocol::Setting& s) {
    return s.name == "scheme" || s.name == "rank" || s.name == "epsilon" || s.name == "delta";
  });
  for (const auto& [flag, meaning] : {std::pair("--scheme", "without a file: the scheme, as in simulate"),
                                      std::pair("--rank", "without a file: columns of X"),
                                      std::pair("--epsilon", "a private run, as in simulate; needs --delta"),
                                      std::pair("--delta", "a private run, as in simulate; needs --epsilon")}) {
    command->get_option(flag)->description(meaning)->group(group)->required(false);
  }
  command->get_option("--rank")->default_str("5");
  command->footer(
      "Example: ppdnmf audit --out out/audit\n"
      "         ppdnmf audit --consortium trial.toml --columns 120,80,40");
  command->callback([options, command, &outcome] {
    const bool planned = command->count("--consortium") + command->count("--topology") + command->count("--agents") +
                             command->count("--columns") + command->count("--epsilon") + command->count("--delta") >
                         0;
    outcome = planned ? judge_planned(*options) : run_audit(*options);
  });
}

}  // namespace ppdnmf::app
