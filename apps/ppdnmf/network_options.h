// What a simulated network is told on the command line, and the settings that follow from it.
#ifndef PPDNMF_APPS_NETWORK_OPTIONS_H_
#define PPDNMF_APPS_NETWORK_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/ppdnmf/options.h"
#include "base/result.h"
#include "crypto/key.h"
#include "protocol/graph.h"
#include "protocol/settings.h"

namespace ppdnmf {

struct NetworkOptions {
  std::uint32_t agents = 0;  // 0: one per file, or 10
  std::vector<Index> split;
  std::string topology = "random:3";
  std::string updates = "corrected";
  std::string exchange = "hardened";
  std::string cipher = "paillier";
  int starts = 1;
  std::size_t key_bits = 3072;
  std::string key_profile = "standard";
  std::int64_t n_max = 1'000'000;
  double u_bound = 1024;
  std::string weight = "auto";
  int local_rounds = 0;  // 0: automatic
  double admm_tolerance = 0;
  std::size_t threads = 0;  // 0: as many as there are processors
  bool estimate = false;
  std::filesystem::path transcript;        // empty: none
  std::vector<std::string> no_use_for_sum;  // options on the command line that --exchange sum has no use for
};
void add_network_options(CLI::App& command, NetworkOptions& options);
// To be called when the command line has been read.
void note_given_options(const CLI::App& command, NetworkOptions& options);

// A topology by name, or a file of edges. Fails as make_topology and parse_edge_list do, naming the file.
[[nodiscard]] Result<Graph> load_graph(const NetworkOptions& options, std::uint32_t agents, std::uint64_t seed);

// Completed and validated. Fails with kUsage, naming the option.
[[nodiscard]] Result<RunSettings> make_settings(const FactorOptions& factor, const NetworkOptions& network, Index rows,
                                                const Graph& graph);

// Of the exchange between neighbours; none without encryption, and none for the exchange sum.
[[nodiscard]] std::optional<KeyOptions> key_options(const NetworkOptions& options);

}  // namespace ppdnmf

#endif  // PPDNMF_APPS_NETWORK_OPTIONS_H_
