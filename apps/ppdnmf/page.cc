#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/page_process.h"
#include <ppdnmf/page/server.h>

namespace ppdnmf::app {

void add_page_options(CLI::App& command, PageOptions& page) {
  auto* wanted = command.add_flag("--page", page.wanted,
                                  "serve a page to watch the run, for this machine and whoever has its address");
  command.add_option("--page-port", page.port, "its port (any that is free)")
      ->check(CLI::Range(1, 65535))
      ->needs(wanted);
}

// The process behind --page; not a command for people.
void add_page(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("page", "The process that serves a page")->group("");
  command->callback([&outcome] { outcome = page::serve(STDIN_FILENO); });
}

}  // namespace ppdnmf::app
