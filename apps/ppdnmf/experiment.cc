#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_experiment.h"

namespace ppdnmf::app {
namespace {

std::shared_ptr<ExperimentOptions> add_one_experiment(CLI::App& parent, const std::string& name,
                                                      const std::string& what, ExperimentPlanner planner,
                                                      Status& outcome) {
  CLI::App* command = parent.add_subcommand(name, what);
  auto options = std::make_shared<ExperimentOptions>();
  command->add_option("--trials", options->trials, "independent trials (default: depends on the experiment)")
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("--quick", options->quick, "a small version of it, in less than a minute");
  command->add_flag("--resume", options->output.resume, "continue from the checkpoint in the output folder");
  add_seed_option(*command, options->seed);
  add_threads_option(*command, options->threads);
  add_output_options(*command, options->output);
  options->output.out = "out/experiment-" + name;
  command->get_option("--out")->default_str(options->output.out.string());
  command->callback([options, planner, &outcome] { outcome = run_experiment(*options, planner); });
  return options;
}

void add_experiment_data(CLI::App& command, ExperimentOptions& options, const char* rank_text) {
  command.add_option("--data", options.data, "data: .npy, .npz, .csv, .tsv, .mtx, .mat, a folder of PGM images");
  command.add_option("--rank", options.rank, rank_text)->check(CLI::Range(Index{1}, Index{1} << 20));
  command.add_option("--agents", options.agents, "agents (10)")->check(CLI::Range(1U, 1U << 20));
  command.add_flag("--clip-negative", options.clip_negative, "set negative entries to zero");
}

}  // namespace

void add_experiment(CLI::App& app, Status& outcome) {
  CLI::App* group =
      app.add_subcommand("experiment", "Repeat the paper's experiments, as printed and corrected, with figures");
  group->require_subcommand(1);
  group->footer("Example: ppdnmf experiment synthetic --quick --out out/synthetic");

  add_one_experiment(*group, "synthetic", "Figure 1a: ten agents on synthetic data, 100 trials", plan_synthetic,
                     outcome);
  group->get_subcommand("synthetic")->footer("Example: ppdnmf experiment synthetic --out out/synthetic");

  const auto faces = add_one_experiment(
      *group, "faces", "Figures 1b and 1c: the MIT-CBCL faces, or images made by the program", plan_faces, outcome);
  CLI::App* faces_command = group->get_subcommand("faces");
  add_experiment_data(*faces_command, *faces, "number of columns of X (49; 16 for images made by the program)");
  faces_command->add_option("--image", faces->image,
                            "size of the images, as 19x19 (height x width), stored column by column (square)");
  faces_command->add_flag("--negative", faces->negative, "the images are photographic negatives");
  faces_command->footer("Example: ppdnmf experiment faces --data faces_u8.npy --out out/faces");

  const auto joining = add_one_experiment(
      *group, "joining", "Held-out columns: an agent alone, all agents together, a centre", plan_joining, outcome);
  CLI::App* joining_command = group->get_subcommand("joining");
  add_experiment_data(*joining_command, *joining, "number of columns of X");
  joining_command->get_option("--data")->required();
  joining_command->get_option("--rank")->required();
  joining_command->footer("Example: ppdnmf experiment joining --data counts.csv --rank 4 --agents 7 --out out/joining");
}

}  // namespace ppdnmf::app
