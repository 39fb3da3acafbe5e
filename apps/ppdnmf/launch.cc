#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/run_launch.h"

namespace ppdnmf::app {

void add_launch(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("launch", "Run a network of agents on this machine, each as its own process");
  auto options = std::make_shared<SimulateOptions>();
  run::RunOptions& run = options->request.options;
  add_data_options(*command, options->data, true);
  add_seed_option(*command, run.seed);
  add_setting_options(*command, run.settings, has_everywhere);
  add_split_options(*command, run);
  add_topology_option(*command, run.topology);
  add_ledger_options(*command, run.ledger, run.data_name);
  add_persons_option(*command, options->data.persons);
  add_picture_options(*command, options->view);
  add_exposure_options(*command, options->view);
  add_known_option(*command, options->data.known);
  add_threads_option(*command, run.threads);
  command->get_option("--threads")->description("threads of all agents together (all processors)");
  add_output_options(*command, options->output);
  add_page_options(*command, options->page);
  command->footer("Example: ppdnmf launch counts.csv --rank 5 --agents 4 --out out/launch");
  command->callback([options, &outcome] { outcome = run_launch(*options); });
}

}  // namespace ppdnmf::app
