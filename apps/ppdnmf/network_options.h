// What a network is told on the command line.
#ifndef PPDNMF_APPS_NETWORK_OPTIONS_H_
#define PPDNMF_APPS_NETWORK_OPTIONS_H_

#include <filesystem>
#include <optional>
#include <string>

#include "apps/ppdnmf/options.h"
#include <ppdnmf/net/proxy.h>
#include <ppdnmf/run/options.h>

namespace CLI {
class App;
}

namespace ppdnmf::app {

// Whose columns are whose: --agents and --split.
void add_split_options(CLI::App& command, run::RunOptions& options);
void add_topology_option(CLI::App& command, std::string& topology);
// Whose each column of a private run is.
void add_persons_option(CLI::App& command, std::filesystem::path& persons);
// Where a private run is debited.
void add_ledger_options(CLI::App& command, std::filesystem::path& ledger, std::string& data_name);

// What every network in this process is told: its settings and agents; and, last, what is left of it in files.
struct SimulateOptions;
void add_simulation_options(CLI::App& command, SimulateOptions& options, const SettingFilter& wanted);
void add_result_options(CLI::App& command, SimulateOptions& options);

// --page and --page-port.
struct PageOptions;
void add_page_options(CLI::App& command, PageOptions& page);

// --proxy.
void add_proxy_option(CLI::App& command, std::string& proxy);
// What it means; nothing if it was not given. Fails with kUsage.
[[nodiscard]] Result<std::optional<net::Proxy>> chosen_proxy(const std::string& proxy);

// --known FILE: columns of X that stay (io/known_columns.h).
void add_known_option(CLI::App& command, std::filesystem::path& known);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_NETWORK_OPTIONS_H_
