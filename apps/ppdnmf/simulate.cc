#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/run_simulate.h"

namespace ppdnmf::app {

void add_simulate(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("simulate", "Run a whole network of agents in this process");
  auto options = std::make_shared<SimulateOptions>();
  run::FactorOptions& factor = options->request.factor;
  run::NetworkOptions& network = options->request.network;
  add_data_options(*command, options->data, true);
  add_seed_option(*command, factor.seed);
  add_setting_options(*command, factor.settings, has_everywhere);
  add_resume_option(*command, factor);
  add_split_options(*command, network);
  add_topology_option(*command, network.topology);
  add_ledger_options(*command, network.ledger, network.data_name);
  command->add_flag("--estimate", network.estimate, "only say what the run would cost in time, bytes and memory");
  command->add_option("--transcript", network.transcript,
                      "write everything that agents send, receive and decrypt to this file (secret)");
  add_threads_option(*command, network.threads);
  add_output_options(*command, options->output);
  command->footer("Example: ppdnmf simulate faces.npy --rank 49 --agents 10 --image 19x19 --out out/faces");
  command->callback([options, &outcome] {
    outcome = run_simulate(*options);
  });
}

}  // namespace ppdnmf::app
