// A simulated network from options to results: what `simulate` and `demo` share.
#ifndef PPDNMF_APPS_RUN_SIMULATION_H_
#define PPDNMF_APPS_RUN_SIMULATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "apps/ppdnmf/inputs.h"
#include "apps/ppdnmf/options.h"

namespace ppdnmf {

struct NetworkOptions {
  std::uint32_t agents = 0;  // 0: one per file, or 10
  std::vector<Index> split;
  std::string topology = "random:3";
  std::string updates = "corrected";
  std::string exchange = "hardened";
  std::string cipher = "paillier";
  std::size_t key_bits = 3072;
  std::string key_profile = "standard";
  std::int64_t n_max = 1'000'000;
  double u_bound = 1024;
  std::string weight = "auto";
  int local_rounds = 0;  // 0: automatic
  double admm_tolerance = 0;
  std::size_t threads = 0;  // 0: as many as there are processors
  bool estimate = false;
  std::filesystem::path transcript;  // empty: none
};
void add_network_options(CLI::App& command, NetworkOptions& options);

struct SimulateOptions {
  DataOptions data;
  OutputOptions output;
  FactorOptions factor;
  NetworkOptions network;
  std::string command = "simulate";
  std::string title;
};

// Runs, writes the results and prints the summary. Interrupted, it leaves a checkpoint and fails with kInterrupted.
[[nodiscard]] Status run_simulation(const SimulateOptions& options, const Inputs& inputs);

}  // namespace ppdnmf

#endif  // PPDNMF_APPS_RUN_SIMULATION_H_
