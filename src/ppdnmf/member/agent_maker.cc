#include <ppdnmf/member/agent_maker.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/neighbours/paillier_cipher.h>
#include <ppdnmf/protocol/own_columns.h>
#include <ppdnmf/protocol/schemes.h>

namespace ppdnmf::member {
namespace {

crypto::IdentityKey copy_of(const crypto::IdentityKey& key) {
  return crypto::IdentityKey::from_secret_bytes(key.reveal_secret_bytes().first<sizeof(crypto::IdentityBytes)>());
}

protocol::neighbours::PaillierRun paillier_run(const AgentParts& parts, const RunId& run,
                                               std::vector<crypto::IdentityBytes> nonces) {
  return {run, parts.settings, *parts.keys, parts.graph, *parts.members, std::move(nonces)};
}

// Before the roll call, to see what such a run needs.
protocol::neighbours::PaillierRun paillier_run(const AgentParts& parts) {
  return paillier_run(parts, RunId{}, std::vector<crypto::IdentityBytes>(parts.graph.agents()));
}

// Everything that all agents of the run must have been given alike, in one digest.
Digest settings_digest(const AgentParts& parts) {
  return sha256({parts.consortium, parts.settings.digest(parts.graph)});
}

std::unique_ptr<protocol::Agent> make_agent(const AgentParts& parts, const crypto::IdentityKey& identity,
                                            Executor& executor, RunStart start) {
  const protocol::RunSettings& s = parts.settings;
  protocol::AgentConfig config;
  config.run = start.run;
  config.settings = s;
  config.settings_digest = settings_digest(parts);
  config.self = parts.self;
  config.agents = parts.graph.agents();
  config.neighbours = parts.graph.neighbours(parts.self);
  config.place = protocol::spanning_tree(parts.graph)[parts.self.value];
  // No other run has this start: it follows from everybody's nonces. Who speaks last in the roll call can choose among
  // as many as it tries. Unless all agreed to go on.
  config.start_given = parts.start_from.has_value();
  config.common_seed = start.digest;
  if (parts.throw_away_seed) {
    const Seed seed = Seed::from_number(*parts.throw_away_seed);
    std::copy_n(seed.reveal_secret_bytes().begin(), config.common_seed.size(), config.common_seed.begin());
  }
  config.start = [s, digest = start.digest, seed = parts.throw_away_seed, from = parts.start_from](int number) {
    if (from && number == 0) return *from;
    return protocol::start_of(s, seed ? Seed::from_number(*seed) : Seed::from_bytes(digest), number);
  };
  auto own = protocol::own_columns(parts.columns, s);
  PPDNMF_CHECK(own.has_value());  // validate() has seen them
  config.entering = *own;
  config.columns = nmf::make_holder(*std::move(own), executor, protocol::loss_of(s));
  config.accept_columns = parts.accept_columns;
  config.capped = [columns = parts.columns, s, accept = parts.accept_cap](double cap) -> Result<data::SharedColumns> {
    if (accept) PPDNMF_TRY_STATUS(accept(cap));
    return protocol::own_columns(columns, s, cap);
  };
  if (!protocol::sums_only(s.scheme)) {
    config.cipher = std::make_unique<protocol::neighbours::PaillierCipher>(
        std::make_shared<const protocol::neighbours::PaillierRun>(paillier_run(parts, start.run, *start.nonces)),
        parts.self, start.secret, copy_of(identity), copy_of(start.ephemeral), executor);
  }
  config.masks =
      protocol::SumSecrets{copy_of(identity), std::move(start.ephemeral), parts.members, std::move(start.nonces)};
  return std::make_unique<protocol::Agent>(std::move(config), std::move(start.secret));
}

}  // namespace

Status validate(const AgentParts& parts) {
  PPDNMF_CHECK(parts.members->size() == parts.graph.agents() && parts.columns->rows() == parts.settings.rows &&
               (!parts.start_from ||
                (parts.start_from->rows() == parts.settings.rows && parts.start_from->cols() == parts.settings.rank)));
  PPDNMF_TRY_STATUS(protocol::own_columns(parts.columns, parts.settings).map([](const auto&) {}));
  if (protocol::sums_only(parts.settings.scheme)) return validate(parts.settings);
  if (!parts.keys)
    return error(ErrorCode::kUsage, "a scheme between neighbours needs keys: no agent sends plain numbers");
  return validate(paillier_run(parts));
}

std::size_t max_payload_bytes(const AgentParts& parts) {
  const std::size_t nonces = parts.graph.agents() * sizeof(crypto::IdentityBytes);
  const std::size_t max = std::max(nonces, protocol::max_sum_bytes(parts.settings));
  if (!parts.keys) return max;
  const protocol::neighbours::PaillierRun run = paillier_run(parts);
  return std::max({max, run.greeting_bytes(), run.payload_bytes()});
}

ParticipantConfig participant_config(AgentParts parts, const crypto::IdentityKey& identity, Executor& executor) {
  ParticipantConfig config;
  config.consortium = parts.consortium;
  config.self = parts.self;
  config.agents = parts.graph.agents();
  config.neighbours = parts.graph.neighbours(parts.self);
  config.place = protocol::spanning_tree(parts.graph)[parts.self.value];
  config.members = parts.members;
  config.throw_away_seed = parts.throw_away_seed;
  config.make_agent = [shared = std::make_shared<const AgentParts>(std::move(parts)), &identity,
                       &executor](RunStart start) { return make_agent(*shared, identity, executor, std::move(start)); };
  return config;
}

}  // namespace ppdnmf::member
