#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/run_agent.h"

namespace ppdnmf::app {

void add_agent(CLI::App& app, Status& outcome, Several* several) {
  CLI::App* command = app.add_subcommand("agent", "Take part in a real run; the same command again resumes it");
  auto options = std::make_shared<AgentOptions>();
  command->add_option("--consortium", options->consortium, "the file that all members have")->required();
  command->add_option("--identity", options->identity, "this member's .key file")->required();
  command
      ->add_option("--data", options->data,
                   "this member's own columns: .npy, .npz, .csv, .tsv, .mtx, .mat, .h5ad, .h5, PGM folder")
      ->required();
  add_on_disk_option(*command, options->on_disk);
  command->add_option("--out", options->out, "folder for the results and the run's state")->required();
  add_ledger_options(*command, options->ledger, options->data_name);
  command->get_option("--ledger")
      ->description("private runs: the file of budgets (default: NAME.ledger beside the identity)");
  add_persons_option(*command, options->persons);
  command->get_option("--persons")
      ->description(
          "private runs: a file that says whose each column is; the noise then covers a person's columns together");
  command->add_option("--approval", options->approval,
                      "the steward's approval, if the file names one (default: NAME.approval beside the identity)");
  command->add_flag("--exact-anyway", options->exact_anyway,
                    "take part in a run with exact totals although the ledger knows columns from private runs");
  command->add_option("--listen", options->listen, "ADDR:PORT to bind instead of the address in the file");
  add_proxy_option(*command, options->proxy);
  command->add_option("--known", options->known, "the columns of X that the consortium file keeps");
  command->add_option("--start-from", options->start_from, "the X.npy from which the consortium file continues");
  command->add_flag("--clip-negative", options->clip_negative, "set negative entries to zero");
  command->add_option("--image", options->image, "HxW: columns are images of this size, for the report");
  add_picture_options(*command, options->view);
  add_exposure_options(*command, options->view);
  command->add_option("--passphrase-fd", options->passphrase_fd, "read the key's passphrase from this file descriptor")
      ->check(CLI::Range(0, 1 << 20));
  command->add_option("--threads", options->threads, "threads for the arithmetic (0: as many as processors)")
      ->check(CLI::Range(0, 4096));
  command->add_option("--max-wait", options->max_wait, "give up after this many seconds without a message (0: never)")
      ->check(CLI::Range(0, 1 << 30));
  command
      ->add_option("--linger", options->linger,
                   "seconds to stay after the end for neighbours that missed the last messages (60)")
      ->check(CLI::Range(0, 1 << 30));
  add_page_options(*command, options->page);
  command->add_flag("--force", options->force, "write into a folder that holds other results");
  command->add_flag("--json", options->json, "print run.json at the end");
  command->add_flag("--quiet", options->quiet, "print only errors");
  command->add_option("--progress-fd", options->progress_fd, "write progress as lines of JSON to this descriptor")
      ->check(CLI::Range(0, 1 << 20));
  command->add_flag("--die-with-parent", options->die_with_parent, "end when the process that started this one ends");
  if (several != nullptr) {
    options->several = several;
    command->get_option("--data")->description(
        "this member's own columns: .npy, .npz, .csv, .tsv, .mtx, .mat; or a pattern in quotes, 'part-*.npy'");
    command->get_option("--threads")
        ->description("threads of every process (0: its share of its machine's processors)");
    for (const char* const name : {"--on-disk", "--persons", "--prune", "--intervals", "--page", "--page-port"})
      command->remove_option(command->get_option(name));
  }
  command->footer(
      "Example: ppdnmf agent --consortium trial.toml --identity hospital-a.key --data counts.csv --data-name "
      "ward7 --out run1");
  command->callback([options, &outcome] { outcome = run_agent(*options); });
}

}  // namespace ppdnmf::app
