#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/exit_codes.h"
#include "apps/ppdnmf/options.h"
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
  if (argc > 1 && argv[1][0] != '-' &&
      app.get_subcommands([&](const CLI::App* c) { return c->get_name() == argv[1]; }).empty()) {
    std::fprintf(stderr, "ppdnmf: there is no command '%s'; see ppdnmf --help\n", argv[1]);
    return exit_code(ErrorCode::kUsage);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return app.exit(problem);  // --help and --version
    std::fprintf(stderr, "ppdnmf: %s\n", problem.what());
    return exit_code(ErrorCode::kUsage);
  }
  if (!outcome) {
    std::fprintf(stderr, "ppdnmf: %s\n", in_flags(outcome.error().message).c_str());
    return exit_code(outcome.error().code);
  }
  return kExitSuccess;
}

}  // namespace ppdnmf::app
