#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/run_simulate.h"

namespace ppdnmf::app {

void add_simulate(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("simulate", "Run a whole network of agents in this process");
  auto options = std::make_shared<SimulateOptions>();
  run::RunOptions& run = options->request.options;
  add_data_options(*command, options->data, true);
  add_seed_option(*command, run.seed);
  add_setting_options(*command, run.settings, has_everywhere);
  add_resume_option(*command, options->output);
  add_split_options(*command, run);
  add_topology_option(*command, run.topology);
  add_ledger_options(*command, run.ledger, run.data_name);
  add_persons_option(*command, options->data.persons);
  add_known_option(*command, options->data.known);
  command->add_flag("--estimate", options->estimate, "only say what the run would cost in time, bytes and memory");
  command->add_option("--transcript", run.transcript,
                      "write everything that agents send, receive and decrypt to this file (secret)");
  add_picture_options(*command, options->view);
  add_exposure_options(*command, options->view);
  add_threads_option(*command, run.threads);
  add_output_options(*command, options->output);
  command->footer("Example: ppdnmf simulate faces.npy --rank 49 --agents 10 --image 19x19 --out out/faces");
  command->callback([options, &outcome] { outcome = run_simulate(*options); });
}

}  // namespace ppdnmf::app
