#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_simulate.h"

namespace ppdnmf::app {

void add_demo(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("demo", "Run ten agents on synthetic data that the program makes itself");
  auto options = std::make_shared<SimulateOptions>();
  add_seed_option(*command, options->request.options.seed);
  add_threads_option(*command, options->request.options.threads);
  command->add_flag("--resume", options->output.resume, "continue from the checkpoint in the output folder");
  add_output_options(*command, options->output);
  command->footer("Example: ppdnmf demo --out out/demo");
  command->callback([options, &outcome] { outcome = run_demo(*options); });
}

}  // namespace ppdnmf::app
