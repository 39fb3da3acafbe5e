#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_simulation.h"
#include "base/random.h"

namespace ppdnmf {
namespace {

// The paper's synthetic data (section IV): X and Y exponential with means 0.033 and 0.8, Gaussian noise of variance
// 3.6e-4. About one entry in a hundred comes out negative and is set to zero.
Table synthetic_data(std::uint64_t seed) {
  constexpr Index kRows = 30;
  constexpr Index kColumns = 200;
  constexpr Index kRank = 5;
  constexpr double kNoise = 0.01897366596101028;  // sqrt(3.6e-4)
  Stream stream(Seed::from_number(seed), 'S');
  const auto exponential = [&](Index rows, Index columns, double mean) {
    Matrix m(rows, columns);
    for (Index t = 0; t < m.size(); ++t) m.data()[t] = mean * stream.exponential();
    return m;
  };
  const Matrix X = exponential(kRows, kRank, 0.033);
  Table table;
  table.values = X * exponential(kRank, kColumns, 0.8);
  for (Index t = 0; t < table.values.size(); ++t) {
    table.values.data()[t] = std::max(0.0, table.values.data()[t] + kNoise * stream.normal());
  }
  return table;
}

}  // namespace

void add_demo(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("demo", "Ten agents on the paper's synthetic data, made here");
  auto options = std::make_shared<SimulateOptions>();
  options->network.split = {4, 8, 12, 16, 20, 20, 24, 28, 28, 40};
  options->factor.rank = 5;
  options->factor.bcd = 50;  // half of the default: these data are easy, and a demo should not keep anyone waiting
  add_seed_option(*command, options->factor.seed);
  command->add_option("--threads", options->network.threads, "threads (all processors)")->check(CLI::Range(1U, 1024U));
  command->add_flag("--resume", options->factor.resume, "go on from the checkpoint in the output folder");
  add_output_options(*command, options->output);
  command->footer("Example: ppdnmf demo --out out/demo");
  command->callback([options, &outcome] {
    options->command = "demo";
    options->title = "demo: ten agents, the paper's synthetic data";
    outcome = run_simulation(*options, made_inputs(synthetic_data(options->factor.seed)));
  });
}

}  // namespace ppdnmf
