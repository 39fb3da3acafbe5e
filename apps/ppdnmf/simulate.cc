#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_simulation.h"

namespace ppdnmf::app {

void add_simulate(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("simulate", "A whole network of agents in this process");
  auto options = std::make_shared<SimulateOptions>();
  add_data_options(*command, options->data, true);
  add_factor_options(*command, options->factor, true);
  add_resume_option(*command, options->factor);
  add_split_options(*command, options->network);
  add_exchange_options(*command, options->network);
  add_privacy_options(*command, options->network);
  add_ledger_options(*command, options->network.ledger, options->network.data_name);
  command->add_flag("--estimate", options->network.estimate,
                    "only tell what the run would cost in time, bytes and memory");
  command->add_option("--transcript", options->network.transcript,
                      "file for all that agents send, receive and decrypt (secret)");
  add_threads_option(*command, options->network.threads);
  add_output_options(*command, options->output);
  command->footer("Example: ppdnmf simulate faces.npy --rank 49 --agents 10 --image 19x19 --out out/faces");
  command->callback([options, command, &outcome] {
    note_given_options(*command, options->network);
    outcome = [&]() -> Status {
      PPDNMF_TRY(const run::Inputs inputs, run::load_inputs(options->data));
      options->title = fmt::format("simulate {}", fmt::join(options->data.files, " "));
      return run_simulation(*options, inputs);
    }();
  });
}

}  // namespace ppdnmf::app
