#include <ppdnmf/sim/assembly.h>

#include <ppdnmf/sim/ciphers.h>

namespace ppdnmf::sim {

Secrecy secrecy_of(const protocol::Settings& settings) {
  return {protocol::key_options(settings), settings.cipher != protocol::CipherKind::kNone};
}

Result<SimulationConfig> assemble(const protocol::RunSettings& settings, const protocol::Graph& graph,
                                  std::uint64_t seed, const Secrecy& secrecy, Executor& executor) {
  SimulationConfig config;
  config.settings = settings;
  config.seed = seed;
  config.make_cipher = plain_ciphers(settings);
  if (secrecy.keys) {
    PPDNMF_TRY(config.make_cipher, paillier_ciphers(settings, graph, *secrecy.keys, seed, executor));
  }
  if (secrecy.masks) config.make_sum_secrets = simulated_sum_secrets(graph.agents(), seed);
  return config;
}

}  // namespace ppdnmf::sim
