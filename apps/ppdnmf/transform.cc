#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_transform.h"

namespace ppdnmf::app {

void add_transform(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("transform", "Nonnegative coordinates of new columns in a given X");
  auto options = std::make_shared<TransformOptions>();
  command->add_option("X", options->factor, "the factor: X.npy of an earlier run, or any other matrix")->required();
  add_data_options(*command, options->data, false);
  add_on_disk_option(*command, options->data.on_disk);
  command->add_option("--loss", options->loss, "squares: exact least squares; poisson: the Kullback-Leibler divergence")
      ->check(CLI::IsMember({"squares", "poisson"}))
      ->capture_default_str();
  add_exposure_options(*command, options->view);
  add_seed_option(*command, options->seed);
  command->get_option("--seed")->description("of the draws behind --intervals; the same seed gives the same bytes");
  add_threads_option(*command, options->threads);
  command
      ->add_option_function<std::string>(
          "--missing",
          [options](const std::string& word) {
            if (word == "nan") options->missing = protocol::MissingKind::kNan;
          },
          "what NaN and empty cells are: a mistake (refuse), or entries that are missing (nan), which Y need not fit")
      ->check(CLI::IsMember({"refuse", "nan"}))
      ->default_str("refuse");
  command->add_option("--l1-y", options->penalties.l1_y, "adds this times the sum of Y to the loss")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--l2-y", options->penalties.l2_y, "adds half of this times the squares of Y to the loss")
      ->check(CLI::NonNegativeNumber);
  add_output_options(*command, options->output);
  command->footer("Example: ppdnmf transform out/counts/X.npy new.csv --out out/new");
  command->callback([options, &outcome] { outcome = run_transform(*options); });
}

}  // namespace ppdnmf::app
