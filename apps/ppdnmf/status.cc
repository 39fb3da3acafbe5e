#include <ppdnmf/site/status.h>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/commands.h"

namespace ppdnmf::app {
namespace {

struct Options {
  std::filesystem::path folder;
  bool json = false;
};

Status run_status(const Options& options) {
  PPDNMF_TRY(const site::AgentStatus status, site::read_status(options.folder));
  const bool running = site::is_running(options.folder, status);
  fmt::print("{}", options.json ? site::status_json(status, running) : site::status_text(status, running, now()));
  return {};
}

}  // namespace

void add_status(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("status", "Where an agent's run stands, also when its process is gone");
  auto options = std::make_shared<Options>();
  command->add_option("DIR", options->folder, "the agent's --out")->required();
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->footer("Example: ppdnmf status run1");
  command->callback([options, &outcome] { outcome = run_status(*options); });
}

}  // namespace ppdnmf::app
