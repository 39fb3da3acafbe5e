#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/run_doctor.h"

namespace ppdnmf::app {

void add_doctor(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("doctor", "Say why this machine and its neighbours do not connect");
  auto options = std::make_shared<DoctorOptions>();
  command->add_option("--consortium", options->consortium, "the file that all members have")->required();
  command->add_option("--identity", options->identity, "this member's .key file, or the relay's")->required();
  command->add_option("--listen", options->listen, "ADDR:PORT, as given to the agent");
  add_proxy_option(*command, options->proxy);
  command->add_option("--passphrase-fd", options->passphrase_fd, "read the key's passphrase from this file descriptor")
      ->check(CLI::Range(0, 1 << 20));
  command->add_option("--patience", options->patience, "seconds for each step with each neighbour (5)")
      ->check(CLI::Range(1, 3600));
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->footer("Example: ppdnmf doctor --consortium trial.toml --identity hospital-a.key");
  command->callback([options, &outcome] { outcome = run_doctor(*options); });
}

}  // namespace ppdnmf::app
