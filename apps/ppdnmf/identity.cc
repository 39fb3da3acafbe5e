#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_identity.h"

namespace ppdnmf::app {
namespace {

void add_identity_new(CLI::App& group, Status& outcome) {
  CLI::App* command =
      group.add_subcommand("new", "Make NAME.key, which stays here, and NAME.pub, for the other members");
  auto options = std::make_shared<NewIdentityOptions>();
  command->add_option("--name", options->name, "what the others call this organisation")->required();
  command->add_option("--out", options->out, "folder for the two files")->capture_default_str();
  auto* ask = command->add_flag("--passphrase", options->passphrase, "seal the key with a passphrase, asked for here");
  command->add_option("--passphrase-fd", options->passphrase_fd, "read the passphrase from this open file descriptor")
      ->check(CLI::Range(0, 1 << 20))
      ->excludes(ask);
  command->add_flag("--force", options->force, "replace an identity of this name; the old one is lost");
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->add_flag("--quiet", options->quiet, "print only errors");
  command->footer("Example: ppdnmf identity new --name hospital-a");
  command->callback([options, &outcome] { outcome = run_identity_new(*options); });
}

void add_identity_renew(CLI::App& group, Status& outcome) {
  CLI::App* command =
      group.add_subcommand("renew", "Replace an identity that will end by a new one, signed by the old one");
  auto options = std::make_shared<RenewIdentityOptions>();
  command->add_option("KEY", options->key, "the .key file; it and the .pub beside it then hold both")->required();
  command->add_option("--passphrase-fd", options->passphrase_fd, "read the passphrase from this open file descriptor")
      ->check(CLI::Range(0, 1 << 20));
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->add_flag("--quiet", options->quiet, "print only errors");
  command->footer("Example: ppdnmf identity renew hospital-a.key");
  command->callback([options, &outcome] { outcome = run_identity_renew(*options); });
}

void add_identity_show(CLI::App& group, Status& outcome) {
  CLI::App* command = group.add_subcommand("show", "Show the name, fingerprint and dates of a .pub or .key file");
  auto options = std::make_shared<ShowIdentityOptions>();
  command->add_option("FILE", options->file, "a .pub or .key file")->required();
  command->add_flag("--json", options->json, "print JSON instead of lines");
  command->footer("Example: ppdnmf identity show hospital-a.pub");
  command->callback([options, &outcome] { outcome = run_identity_show(*options); });
}

}  // namespace

void add_identity(CLI::App& app, Status& outcome) {
  CLI::App* group = app.add_subcommand("identity", "The keys by which the members of a run know each other");
  group->require_subcommand(1);
  group->footer("Example: ppdnmf identity new --name hospital-a");
  add_identity_new(*group, outcome);
  add_identity_renew(*group, outcome);
  add_identity_show(*group, outcome);
}

}  // namespace ppdnmf::app
