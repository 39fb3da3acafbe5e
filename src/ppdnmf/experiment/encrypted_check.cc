#include <ppdnmf/experiment/encrypted_check.h>

#include <algorithm>

#include <ppdnmf/experiment/agents.h>

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
  PPDNMF_TRY(Agents agents, make_agents(problem, {Kind::kDefaults}));
  protocol::RunSettings& settings = agents.settings;
  settings.admm_x = std::min(settings.admm_x, rounds);
  settings.iterations = std::min(settings.iterations, std::max(1, rounds / settings.admm_x));
  const AgentData data{problem.Z, problem.columns};
  PPDNMF_TRY(const std::optional<sim::Simulation> plain, run_agents(agents, data, problem.seed, {}, {}, stop));
  if (!plain) return std::optional<EncryptedCheck>();
  PPDNMF_TRY(const std::optional<sim::Simulation> encrypted,
             run_agents(agents, data, problem.seed, {keys, false}, {}, stop));
  if (!encrypted) return std::optional<EncryptedCheck>();
  EncryptedCheck check;
  check.same = same_factors(*plain, *encrypted);
  check.rounds = static_cast<std::int64_t>(encrypted->history().back().rounds);
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
