#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/options.h"
#include "apps/ppdnmf/run_estimate.h"

namespace ppdnmf::app {

void add_estimate(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("estimate", "What a run of a given size would cost each organisation");
  auto options = std::make_shared<EstimateOptions>();
  run::SiteSize& size = options->size;
  command->add_option("--rows", size.rows, "rows of the data")->required();
  command->add_option("--columns", size.columns, "columns of one organisation")->required();
  command->add_option("--rank", size.rank, "number of columns of X")->required();
  command->add_option("--nonzeros", size.nonzeros, "entries of one organisation that are not zero; without it: dense");
  command->add_option("--agents", size.agents, "organisations; 1: factorize")->capture_default_str();
  command->add_option("--processes", size.processes, "machines that share the columns of one organisation")
      ->capture_default_str();
  command->add_option("--iterations", size.iterations, "of the run")->capture_default_str();
  command->add_flag("--mapped", size.mapped, "the data stay in a file and are walked over in blocks");
  command->add_option("--topology", options->network.topology, "as in simulate")->capture_default_str();
  command->add_option("--latency", options->network.latency_ms, "milliseconds from neighbour to neighbour")
      ->capture_default_str();
  command->add_option("--bandwidth", options->network.megabits, "megabits per second")->capture_default_str();
  add_threads_option(*command, options->threads);
  command->add_flag("--json", options->json, "as JSON, for programs");
  command->footer("Example: ppdnmf estimate --rows 96 --columns 1000000 --rank 8 --agents 1000");
  command->callback([options, &outcome] { outcome = run_estimate(*options); });
}

}  // namespace ppdnmf::app
