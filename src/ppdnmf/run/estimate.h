// What a simulated run would cost, without running it.
#ifndef PPDNMF_RUN_ESTIMATE_H_
#define PPDNMF_RUN_ESTIMATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/run/data_size.h>
#include <ppdnmf/sim/assembly.h>

namespace ppdnmf::run {

struct RunEstimate {
  double seconds = 0;            // of the whole run, if nothing ends it early
  double seconds_start_up = 0;   // of it, for keys and tables
  double seconds_per_round = 0;  // all agents together
  std::uint64_t rounds = 0;
  std::uint64_t bytes = 0;  // sent by all agents
  std::uint64_t bytes_per_message = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t opened = 0;  // numbers about all columns together that everybody learns; of a search for the rank only
};

// Times one agent's share of a round, on data of its size and on a few ciphertexts where there are many, and
// multiplies.
[[nodiscard]] Result<RunEstimate> estimate_run(const protocol::RunSettings& settings, const protocol::Graph& graph,
                                               const DataSize& size, const sim::Secrecy& secrecy, std::size_t threads);

[[nodiscard]] std::string estimate_text(const RunEstimate& estimate);
[[nodiscard]] std::string estimate_json(const RunEstimate& estimate);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_ESTIMATE_H_
