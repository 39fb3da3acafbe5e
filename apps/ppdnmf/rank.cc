#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/run_simulate.h"

namespace ppdnmf::app {

void add_rank(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand(
      "rank", "Find the number of components: several ranks, several starts of each on resampled data");
  auto options = std::make_shared<SimulateOptions>();
  run::RunOptions& run = options->request.options;
  add_data_options(*command, options->data, true);
  const protocol::Setting* rank = protocol::find_setting("rank");
  command
      ->add_option_function<std::string>(
          "--ranks",
          [rank, &run](const std::string& text) {
            if (!protocol::parse_range(text)) {
              throw CLI::ValidationError("--ranks must be two whole numbers as 4-20, the smaller one first, not '" +
                                         text + "'");
            }
            const auto value = protocol::parse_value(*rank, text);
            if (!value) throw CLI::ValidationError(in_flags(value.error().message));
            rank->set(run.settings, *value);
          },
          "the ranks that may be chosen, as 4-20; they are tried from the smallest upwards, until a larger one would "
          "not change the choice")
      ->type_name("A-B")
      ->required();
  add_simulation_options(*command, *options,
                         [](const protocol::Setting& s) { return has_everywhere(s) && s.name != "rank"; });
  command->add_flag("--estimate", options->estimate,
                    "only say what the run would cost in time, bytes and memory, and how many numbers it would open");
  add_result_options(*command, *options);
  command->footer("Example: ppdnmf rank mutations.csv --ranks 2-20 --agents 10 --out out/rank");
  command->callback([options, command, &outcome] { outcome = run_rank(*options, command->count("--loss") > 0); });
}

}  // namespace ppdnmf::app
