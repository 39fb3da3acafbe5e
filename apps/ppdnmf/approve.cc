#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/run_approve.h"

namespace ppdnmf::app {

void add_approve(CLI::App& app, Status& outcome) {
  CLI::App* command =
      app.add_subcommand("approve", "A steward's yes: these data may take part in this run, until this day");
  auto options = std::make_shared<ApproveOptions>();
  command->add_option("--consortium", options->consortium, "the file that all members have")->required();
  auto* show = command->add_option("--show", options->show, "print what an approval says instead of signing one");
  auto* identity = command->add_option("--identity", options->identity, "the steward's .key file")->excludes(show);
  command->add_option("--data", options->data, "the member's own columns, as the agent will be given them")
      ->excludes(show)
      ->needs(identity);
  command->add_option("--member", options->member, "whose data they are, if the file names this steward for several");
  command
      ->add_option("--budget", options->budget,
                   "the most epsilon that the run may spend (default: the file's), or exact")
      ->excludes(show);
  command->add_option("--until", options->until, "the last day, as 2027-01-31 (default: 30 days from now)")
      ->excludes(show);
  add_persons_option(*command, options->persons);
  command->get_option("--persons")->description("the file of persons, if the agent will be given one")->excludes(show);
  command->add_flag("--clip-negative", options->clip_negative, "set negative entries to zero, if the agent will")
      ->excludes(show);
  command->add_option("--passphrase-fd", options->passphrase_fd, "read the key's passphrase from this file descriptor")
      ->check(CLI::Range(0, 1 << 20));
  command->add_option("--out", options->out, "the approval (default: MEMBER.approval)")->excludes(show);
  command->add_option("--html", options->html, "write what was approved as a page, too");
  command->add_flag("--force", options->force, "replace files that are there");
  command->footer(
      "Example: ppdnmf approve --consortium trial.toml --identity steward.key --data Z.csv --until 2027-01-31");
  command->callback([options, &outcome] { outcome = run_approve(*options); });
}

}  // namespace ppdnmf::app
