// What a run is told, in the words of the command line, and the settings that follow from it.
#ifndef PPDNMF_RUN_OPTIONS_H_
#define PPDNMF_RUN_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::run {

struct FactorOptions {
  Index rank = 0;
  std::uint64_t seed = 1;
  std::optional<int> bcd, admm_x, admm_y;
  double tolerance = 0;
  std::string mu = "auto", eta = "auto";
  std::string start = "random";
  double max_seconds = 0;  // 0: no limit
  bool resume = false;
};

struct NetworkOptions {
  std::uint32_t agents = 0;  // 0: one per file, or 10
  std::vector<Index> split;
  std::string topology = "random:3";
  std::string updates = "corrected";
  std::string exchange = "sum";
  std::string exchange_follows;  // the option from which it follows; empty: it was chosen, or is the default
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
  std::filesystem::path transcript;  // empty: none
  // A private run; nothing of it without an epsilon.
  std::optional<double> epsilon, delta;
  std::string normalise;                       // "l1", "l2"; empty: not given
  std::optional<std::uint32_t> assume_honest;  // all but one
  std::filesystem::path ledger;                // where the run is debited, and the owner's name for the data; empty:
  std::string data_name;                       // nowhere
  std::vector<std::string> no_use_for_sum;     // options on the command line that --exchange sum has no use for
};

// Completed and validated. `columns`: of all agents; only a private run's noise hangs on it, and only its size matters.
// Fails with kUsage, naming the option.
[[nodiscard]] Result<protocol::RunSettings> make_settings(const FactorOptions& factor, const NetworkOptions& network, Index rows,
                                                Index columns, const protocol::Graph& graph);

// Of the exchange between neighbours; none without encryption, and none for the exchange sum.
[[nodiscard]] std::optional<crypto::KeyOptions> key_options(const NetworkOptions& options);

// "auto" is nothing, a number is itself. Fails with kUsage, naming the option.
[[nodiscard]] Result<std::optional<double>> parse_automatic(const std::string& option, const std::string& text);
[[nodiscard]] nmf::Start parse_start(const std::string& text);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_OPTIONS_H_
