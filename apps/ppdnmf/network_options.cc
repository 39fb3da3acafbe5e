#include "apps/ppdnmf/network_options.h"

#include <CLI/CLI.hpp>

namespace ppdnmf::app {

void add_split_options(CLI::App& command, run::RunOptions& options) {
  command.add_option("--agents", options.agents, "split one file's columns evenly between this many agents (10)")
      ->check(CLI::Range(1U, 1U << 20));
  command.add_option("--split", options.split, "columns of each agent, as 3,5,12")->delimiter(',');
}

void add_topology_option(CLI::App& command, std::string& topology) {
  command.add_option("--topology", topology, "random:D (mean degree), ring, line, star, complete, or a file of edges")
      ->capture_default_str();
}

void add_persons_option(CLI::App& command, std::filesystem::path& persons) {
  command.add_option("--persons", persons,
                     "private runs: a file that says whose each column is; the noise then covers a person's columns "
                     "together, those of one agent");
}

void add_known_option(CLI::App& command, std::filesystem::path& known) {
  command.add_option("--known", known,
                     "a file of columns of X that stay as they are, to the bit; the others are found beside them");
}

void add_ledger_options(CLI::App& command, std::filesystem::path& ledger, std::string& data_name) {
  command.add_option("--ledger", ledger, "private runs: file of budgets, in which the run is debited first");
  command.add_option("--data-name", data_name, "private runs: the name of these data in the ledger");
}

}  // namespace ppdnmf::app
