#include <ppdnmf/experiment/encrypted_check.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/sim/simulation.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::experiment {
namespace {

bool same_factors(const sim::Simulation& a, const sim::Simulation& b) {
  for (std::size_t i = 0; i < a.agents(); ++i) {
    if (a.agent(i).X() != b.agent(i).X() || a.agent(i).Y() != b.agent(i).Y()) return false;
  }
  return true;
}

}  // namespace

Result<std::optional<EncryptedCheck>> run_encrypted_check(const TrialProblem& problem, int rounds,
                                                          const crypto::KeyOptions& keys, const StopQuestion& stop) {
  const auto agents = static_cast<std::uint32_t>(problem.columns.size());
  PPDNMF_TRY(const protocol::Graph graph, sim::make_topology("random:3", agents, Seed::from_number(problem.seed)));
  PPDNMF_TRY(protocol::RunSettings settings, network_settings({Kind::kDefaults}, problem.paper, problem.Z, problem.rank, graph));
  settings.admm_x = std::min(settings.admm_x, rounds);
  settings.iterations = std::min(settings.iterations, std::max(1, rounds / settings.admm_x));
  const auto question = [&] { return stop() ? sim::Simulation::Wish::kPause : sim::Simulation::Wish::kGoOn; };
  const auto make = [&](sim::CipherFactory ciphers) {
    sim::SimulationConfig config;
    config.settings = settings;
    config.seed = problem.seed;
    config.make_cipher = std::move(ciphers);
    return sim::Simulation::create(std::move(config), graph, sim::split_columns(problem.Z, problem.columns));
  };
  SerialExecutor serial;
  PPDNMF_TRY(sim::Simulation plain, make(sim::plain_ciphers(settings)));
  PPDNMF_TRY(const bool plain_finished, plain.run(serial, nullptr, question));
  if (!plain_finished) return std::optional<EncryptedCheck>();
  PPDNMF_TRY(sim::CipherFactory ciphers, sim::paillier_ciphers(settings, graph, keys, problem.seed, serial));
  PPDNMF_TRY(sim::Simulation encrypted, make(std::move(ciphers)));
  PPDNMF_TRY(const bool finished, encrypted.run(serial, nullptr, question));
  if (!finished) return std::optional<EncryptedCheck>();
  EncryptedCheck check;
  check.same = same_factors(plain, encrypted);
  check.rounds = static_cast<std::int64_t>(encrypted.history().back().rounds);
  check.key_bits = keys.bits;
  check.fast_profile = keys.profile == crypto::KeyProfile::kFast;
  return std::optional(check);
}

Bytes encode(const EncryptedCheck& check) {
  ByteWriter out;
  out.put<std::uint8_t>(check.same ? 1 : 0);
  out.put(check.rounds);
  out.put(check.key_bits);
  out.put<std::uint8_t>(check.fast_profile ? 1 : 0);
  return out.take();
}

Result<EncryptedCheck> decode_check(ByteSpan bytes) {
  ByteReader in(bytes);
  EncryptedCheck check;
  check.same = in.get<std::uint8_t>() == 1;
  check.rounds = in.get<std::int64_t>();
  check.key_bits = in.get<std::uint64_t>();
  check.fast_profile = in.get<std::uint8_t>() == 1;
  PPDNMF_TRY_STATUS(in.status());
  return check;
}

}  // namespace ppdnmf::experiment
