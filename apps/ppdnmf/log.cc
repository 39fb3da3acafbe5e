#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_log_verify.h"

namespace ppdnmf::app {

void add_log(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("log", "What members put on record of a run");
  command->require_subcommand(1);
  CLI::App* verify =
      command->add_subcommand("verify", "Check logs and their signatures, and name who told whom something different");
  auto options = std::make_shared<LogVerifyOptions>();
  verify->add_option("LOG", options->logs, "members' run.log, from their --out folders")->required();
  verify->add_option("--consortium", options->consortium, "the members' file, to hold the logs' identities against");
  verify->footer("Example: ppdnmf log verify a.log b.log c.log --consortium trial.toml");
  verify->callback([options, &outcome] { outcome = run_log_verify(*options); });
}

}  // namespace ppdnmf::app
