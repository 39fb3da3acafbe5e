// What a network is told on the command line.
#ifndef PPDNMF_APPS_NETWORK_OPTIONS_H_
#define PPDNMF_APPS_NETWORK_OPTIONS_H_

#include <filesystem>
#include <string>

#include "apps/ppdnmf/options.h"
#include <ppdnmf/run/options.h>

namespace CLI {
class App;
}

namespace ppdnmf::app {

// Whose columns are whose: --agents and --split.
void add_split_options(CLI::App& command, run::NetworkOptions& options);
// The graph, and everything about the exchange that all agents have to agree on.
void add_exchange_options(CLI::App& command, run::NetworkOptions& options);
// Differential privacy: what all agents have to agree on, and where a run is debited.
void add_privacy_options(CLI::App& command, run::NetworkOptions& options);
void add_ledger_options(CLI::App& command, std::filesystem::path& ledger, std::string& data_name);
// To be called when the command line has been read: without --exchange, an option that only exchanges between
// neighbours have decides for hardened.
void note_given_options(const CLI::App& command, run::NetworkOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_NETWORK_OPTIONS_H_
