#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <string>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/exit_codes.h"
#include "apps/ppdnmf/options.h"

namespace ppdnmf::app {

int run_commands(CLI::App& app, const Status& outcome, int argc, char** argv) {
  const std::string name = app.get_name();
  if (argc > 1 && argv[1][0] != '-' &&
      app.get_subcommands([&](const CLI::App* c) { return c->get_name() == argv[1]; }).empty()) {
    std::fprintf(stderr, "%s: there is no command '%s'; see %s --help\n", name.c_str(), argv[1], name.c_str());
    return exit_code(ErrorCode::kUsage);
  }
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a sentence, as a full disk is
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return app.exit(problem);  // --help and --version
    std::fprintf(stderr, "%s: %s\n", name.c_str(), problem.what());
    return exit_code(ErrorCode::kUsage);
  }
  if (!outcome) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), in_flags(outcome.error().message).c_str());
    return exit_code(outcome.error().code);
  }
  return kExitSuccess;
}

}  // namespace ppdnmf::app
