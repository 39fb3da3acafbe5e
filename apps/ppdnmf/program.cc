#include <CLI/CLI.hpp>
#include <string>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/exit_codes.h"
#include "version.h"

namespace ppdnmf::app {

int run_program(int argc, char** argv) {
  CLI::App app("Factorise a nonnegative matrix together without showing each other the data.");
  app.name("ppdnmf");
  app.set_version_flag("--version", std::string("ppdnmf ") + kVersion);
  app.require_subcommand(1);
  app.footer("Example: ppdnmf simulate counts.csv --rank 5 --agents 10 --out out/counts\n" + exit_codes_text());
  Status outcome;
  add_demo(app, outcome);
  add_simulate(app, outcome);
  add_factorize(app, outcome);
  add_rank(app, outcome);
  add_transform(app, outcome);
  add_estimate(app, outcome);
  add_convert(app, outcome);
  add_experiment(app, outcome);
  add_audit(app, outcome);
  add_identity(app, outcome);
  add_consortium(app, outcome);
  add_approve(app, outcome);
  add_agent(app, outcome);
  add_launch(app, outcome);
  add_status(app, outcome);
  add_doctor(app, outcome);
  add_relay(app, outcome);
  add_log(app, outcome);
  add_settings(app, outcome);
  add_page(app, outcome);
  return run_commands(app, outcome, argc, argv);
}

}  // namespace ppdnmf::app
