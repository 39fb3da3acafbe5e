#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_demo.h"

namespace ppdnmf::app {

void add_demo(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand(
      "demo", "What three made-up hospitals find alone, together, pooled and in a private run, in one picture");
  auto options = std::make_shared<DemoOptions>();
  add_seed_option(*command, options->seed);
  add_threads_option(*command, options->threads);
  add_output_options(*command, options->output);
  command->get_option("--json")->description("print demo.json instead of sentences");
  command->footer("Example: ppdnmf demo --out out/demo");
  command->callback([options, &outcome] { outcome = run_demo(*options); });
}

}  // namespace ppdnmf::app
