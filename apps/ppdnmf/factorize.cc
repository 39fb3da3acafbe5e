#include <CLI/CLI.hpp>
#include <memory>

#include "apps/ppdnmf/commands.h"
#include "apps/ppdnmf/run_factorize.h"

namespace ppdnmf::app {

void add_factorize(CLI::App& app, Status& outcome) {
  CLI::App* command = app.add_subcommand("factorize", "Factorise on one machine: no network, no encryption");
  auto options = std::make_shared<FactorizeCommand>();
  run::SolverOptions& solver = options->solver;
  options->factor.tolerance = nmf::FactorizeOptions{}.tolerance;
  add_data_options(*command, options->data, false);
  add_factor_options(*command, options->factor, true);
  add_resume_option(*command, options->factor);
  command->add_option("--solver", solver.solver, "fast: coordinate descent; admm: the paper's, centralised")
      ->check(CLI::IsMember({"fast", "admm"}))
      ->capture_default_str();
  command->add_option("--starts", solver.starts, "fast: so many short starts (1), of which the best goes on");
  add_output_options(*command, options->output);
  command->footer("Example: ppdnmf factorize counts.csv --rank 5 --out out/baseline");
  command->callback([options, command, &outcome] {
    for (const char* name : {"--admm-x", "--admm-y", "--mu", "--eta"}) {
      if (command->count(name) > 0) options->solver.given_for_admm.emplace_back(name);
    }
    outcome = run_factorize(*options);
  });
}

}  // namespace ppdnmf::app
