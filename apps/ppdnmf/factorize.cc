#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/network_options.h"
#include "apps/ppdnmf/run_factorize.h"

namespace ppdnmf::app {
namespace {

// Settings that mean the same without a network, with this command's own defaults.
void add_own_settings(CLI::App& command, protocol::Settings& settings) {
  const nmf::FactorizeOptions defaults;
  const std::vector<std::pair<std::string_view, std::string>> own = {
      {"rank", "number of columns of X"},
      {"loss", "fast: what is minimised, the squared error or, for counts, the Kullback-Leibler divergence"},
      {"curvature", "fast: with --loss poisson, how much of X's curvature is used; chosen by the rank and the rows"},
      {"l1_x", "fast: adds this times the sum of X to the loss; if Y has no penalty, its rows have length one"},
      {"l1_y", "fast: adds this times the sum of Y; if X has no penalty, the columns found have length one"},
      {"l2_x", "fast: adds half of this times the squares of X, as --l1-x"},
      {"l2_y", "fast: adds half of this times the squares of Y, as --l1-y"},
      {"start", "random, or ones as the paper prints"},
      {"iterations", fmt::format("at most this many ({})", defaults.iterations)},
      {"starts", "fast: number of short starts; the best one is continued"},
      {"tolerance", "stop when ten iterations lower the error by less than this part of it; 0: never"},
      {"normalise",
       "divide every column by its sum (l1) or its length (l2), so that only its shape counts; --epsilon needs it"},
      {"cap", "scale columns whose total is above the Q-quantile of all totals down to it, as 0.75"},
      {"missing",
       "fast: what NaN and empty cells are. refuse: a mistake. nan: entries that are missing; X and Y fit the others"},
      {"site_effects", "for several agents: see simulate"},
      {"max_seconds", "end after about this time; 0: no limit"},
      {"admm_x", fmt::format("admm: ADMM iterations per X step ({})", defaults.admm_x)},
      {"admm_y", fmt::format("admm: ADMM iterations per Y step ({})", defaults.admm_y)},
      {"mu", "admm: penalty of the X step, or auto"},
      {"eta", "admm: penalty of the Y step, or auto"},
      {"epsilon",
       "a differentially private X, to be published: needs --delta, --normalise and --columns, and takes its "
       "noise from the operating system"},
      {"delta", "with --epsilon: above 0 and well below 1/columns, such as 1e-6"},
      {"columns", "with --epsilon: about how many columns there are, rounded to one digit; a public number"},
      {"scheme", "with --epsilon: sum or moments (the one that suits the budget)"}};
  add_setting_options(command, settings, [&](const protocol::Setting& setting) {
    return std::any_of(own.begin(), own.end(), [&](const auto& one) { return one.first == setting.name; });
  });
  for (const auto& [name, meaning] : own) command.get_option(flag_of(name))->description(meaning);
  command.get_option("--admm-y")->default_str("");  // a network's is another
  command.get_option("--scheme")->default_str("");
}

// What is there for several processes alone, and what they cannot do.
void add_several_options(CLI::App& command, Several* several, FactorizeCommand& options) {
  options.several = several;
  command.get_option("DATA")
      ->description("data, side by side: .npy, .npz, .csv, .tsv, .mtx, .mat; or a pattern in quotes, 'part-*.npy'")
      ->expected(1, 1 << 20);
  command
      .add_option("--checkpoint-seconds", options.checkpoint_seconds,
                  "leave a checkpoint this often; the same command goes on from it")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.get_option("--threads")->description("threads of every process (its share of its machine's processors)");
  for (const char* const name :
       {"--on-disk", "--persons", "--solver", "--prune", "--intervals", "--epsilon", "--delta", "--columns", "--scheme",
        "--missing", "--resume", "--admm-x", "--admm-y", "--mu", "--eta"})
    command.remove_option(command.get_option(name));
}

}  // namespace

void add_factorize(CLI::App& app, Status& outcome, Several* several) {
  CLI::App* command = app.add_subcommand("factorize", "Factorise on one machine: no network, no encryption");
  auto options = std::make_shared<FactorizeCommand>();
  run::SolverOptions& solver = options->solver;
  options->options.settings.tolerance = nmf::FactorizeOptions{}.tolerance;
  add_data_options(*command, options->data, false);
  add_on_disk_option(*command, options->data.on_disk);
  add_seed_option(*command, options->options.seed);
  add_own_settings(*command, options->options.settings);
  add_persons_option(*command, options->data.persons);
  add_known_option(*command, options->data.known);
  add_resume_option(*command, options->output);
  command->add_option("--solver", solver.solver, "fast: coordinate descent; admm: the paper's, centralised")
      ->check(CLI::IsMember({"fast", "admm"}))
      ->capture_default_str();
  add_picture_options(*command, options->view);
  add_exposure_options(*command, options->view);
  add_threads_option(*command, options->options.threads);
  add_output_options(*command, options->output);
  if (several != nullptr) add_several_options(*command, several, *options);
  command->footer("Example: ppdnmf factorize counts.csv --rank 5 --out out/baseline");
  command->callback([options, command, &outcome] {
    if (options->options.settings.epsilon && command->count("--tolerance") == 0)
      options->options.settings.tolerance = 0;
    if (command->count("--starts") > 0) options->solver.starts = options->options.settings.starts;
    for (const char* name : {"admm_x", "admm_y", "mu", "eta"}) {
      if (options->several == nullptr && command->count(flag_of(name)) > 0)
        options->solver.given_for_admm.emplace_back(name);
    }
    outcome = run_factorize(*options);
  });
}

}  // namespace ppdnmf::app
