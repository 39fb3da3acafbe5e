// How the agents of a simulated run get their ciphers and secrets: the same for the command line, Python, the
// experiments and the audit.
#ifndef PPDNMF_SIM_ASSEMBLY_H_
#define PPDNMF_SIM_ASSEMBLY_H_

#include <cstdint>
#include <optional>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/sim/simulation.h>

namespace ppdnmf::sim {

// What hides the messages of a run. Without it they are plain integers; X and Y are the same.
struct Secrecy {
  std::optional<crypto::KeyOptions> keys;  // between neighbours
  bool masks = false;                      // on sums
};
[[nodiscard]] Secrecy secrecy_of(const protocol::Settings& settings);

// A simulation without faults whose secrets all follow from the seed. Whoever times, watches or disturbs the run adds
// that. The ciphers work on `executor`, which outlives the simulation. Fails as paillier_ciphers does.
[[nodiscard]] Result<SimulationConfig> assemble(const protocol::RunSettings& settings, const protocol::Graph& graph,
                                                std::uint64_t seed, const Secrecy& secrecy, Executor& executor);

}  // namespace ppdnmf::sim

#endif  // PPDNMF_SIM_ASSEMBLY_H_
