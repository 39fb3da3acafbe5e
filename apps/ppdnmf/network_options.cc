#include "apps/ppdnmf/network_options.h"

#include <CLI/CLI.hpp>

#include "apps/ppdnmf/run_simulate.h"

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

void add_proxy_option(CLI::App& command, std::string& proxy) {
  command.add_option("--proxy", proxy,
                     "HOST:PORT of an HTTP proxy for connections to other members and the relay; env: the one that "
                     "https_proxy names, but for the places of no_proxy; nobody looks at these otherwise");
}

Result<std::optional<net::Proxy>> chosen_proxy(const std::string& proxy) {
  if (proxy.empty()) return std::nullopt;
  auto chosen = proxy == "env" ? net::proxy_from_environment() : net::parse_proxy(proxy);
  if (!chosen) return at("--proxy", std::move(chosen).error());
  return std::optional(*std::move(chosen));
}

void add_ledger_options(CLI::App& command, std::filesystem::path& ledger, std::string& data_name) {
  command.add_option("--ledger", ledger, "private runs: file of budgets, in which the run is debited first");
  command.add_option("--data-name", data_name, "private runs: the name of these data in the ledger");
}

void add_simulation_options(CLI::App& command, SimulateOptions& options, const SettingFilter& wanted) {
  run::RunOptions& run = options.request.options;
  add_seed_option(command, run.seed);
  add_setting_options(command, run.settings, wanted);
  add_resume_option(command, options.output);
  add_split_options(command, run);
  add_topology_option(command, run.topology);
  add_ledger_options(command, run.ledger, run.data_name);
  add_persons_option(command, options.data.persons);
}

void add_result_options(CLI::App& command, SimulateOptions& options) {
  run::RunOptions& run = options.request.options;
  command.add_option("--transcript", run.transcript,
                     "write everything that agents send, receive and decrypt to this file (secret)");
  add_picture_options(command, options.view);
  add_exposure_options(command, options.view);
  add_threads_option(command, run.threads);
  add_output_options(command, options.output);
}

}  // namespace ppdnmf::app
