#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_relay.h"

namespace ppdnmf::app {

void add_relay(CLI::App& app, Status& outcome) {
  CLI::App* command =
      app.add_subcommand("relay", "Pass bytes on between members that can only dial out; it cannot read them");
  auto options = std::make_shared<RelayOptions>();
  command->add_option("--consortium", options->consortium, "the file that all members have")->required();
  command->add_option("--identity", options->identity, "the relay's own .key file; it is no member")->required();
  command->add_option("--listen", options->listen, "HOST:PORT to bind instead of the relay's address in the file");
  command->add_option("--max-rate", options->max_rate, "bytes that pass in a second, of all members (0: no bound)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 40U));
  command->add_option("--passphrase-fd", options->passphrase_fd, "read the key's passphrase from this file descriptor")
      ->check(CLI::Range(0, 1 << 20));
  command->add_flag("--quiet", options->quiet, "print only errors");
  command->footer("Example: ppdnmf relay --listen 0.0.0.0:7443 --consortium trial.toml --identity relay.key");
  command->callback([options, &outcome] { outcome = run_relay(*options); });
}

}  // namespace ppdnmf::app
