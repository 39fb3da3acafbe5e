#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_status.h"

namespace ppdnmf::app {

void add_status(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("status", "Say where an agent's run stands, even when its process is gone");
  auto options = std::make_shared<StatusOptions>();
  command->add_option("DIR", options->folder, "the agent's --out")->required();
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->footer("Example: ppdnmf status run1");
  command->callback([options, &outcome] { outcome = run_status(*options); });
}

}  // namespace ppdnmf::app
