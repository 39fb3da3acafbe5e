#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_simulation.h"
#include <ppdnmf/experiment/synthetic_data.h>

namespace ppdnmf::app {
namespace {

Status run_demo(SimulateOptions options, const run::Inputs& inputs) {
  PPDNMF_TRY_STATUS(run_simulation(options, inputs));
  if (options.output.quiet || options.output.json) return {};
  options.network.exchange = "hardened";
  options.factor.bcd = 50;  // half of its default: these data are easy, and a demo should not keep anyone waiting
  options.factor.resume = false;
  fmt::print("\nthe same with the paper's exchange, encrypted (--exchange hardened --bcd 50): ");
  std::fflush(stdout);  // it takes a while
  PPDNMF_TRY(const std::string line, simulation_in_a_line(options, inputs));
  fmt::print("{}\n", line);
  return {};
}

}  // namespace

void add_demo(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("demo", "Ten agents on the paper's synthetic data, made here");
  auto options = std::make_shared<SimulateOptions>();
  options->network.split = experiment::synthetic_columns();
  options->factor.rank = experiment::kSyntheticRank;
  add_seed_option(*command, options->factor.seed);
  add_threads_option(*command, options->network.threads);
  command->add_flag("--resume", options->factor.resume, "go on from the checkpoint in the output folder");
  add_output_options(*command, options->output);
  command->footer("Example: ppdnmf demo --out out/demo");
  command->callback([options, &outcome] {
    options->command = "demo";
    options->title = "demo: ten agents, the paper's synthetic data";
    io::Table table;
    table.values = experiment::make_synthetic_data(options->factor.seed).Z;
    outcome = run_demo(*options, run::made_inputs(std::move(table)));
  });
}

}  // namespace ppdnmf::app
