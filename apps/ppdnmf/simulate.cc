#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/run_simulate.h"

namespace ppdnmf::app {

void add_simulate(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("simulate", "Run a whole network of agents in this process");
  auto options = std::make_shared<SimulateOptions>();
  add_data_options(*command, options->data, true);
  add_on_disk_option(*command, options->data.on_disk);
  add_simulation_options(*command, *options, has_everywhere);
  add_known_option(*command, options->data.known);
  command->add_flag("--estimate", options->estimate, "only say what the run would cost in time, bytes and memory");
  add_result_options(*command, *options);
  command->footer("Example: ppdnmf simulate faces.npy --rank 49 --agents 10 --image 19x19 --out out/faces");
  command->callback([options, &outcome] { outcome = run_simulate(*options); });
}

}  // namespace ppdnmf::app
