// Drives two agents to a common X. They are pure machines: this program is their network, and all that travels between
// them passes through its queue, masked. A real run has the members' own secrets here instead of ones that follow from
// a number, and a network instead of a queue. usage: two_agents
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include <ppdnmf/base/random.h>
#include <ppdnmf/nmf/start.h>
#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/seeded_secrets.h>

namespace {

using namespace ppdnmf;

constexpr std::uint64_t kSeed = 1;
constexpr std::uint32_t kAgents = 2;

// Two patterns over four rows, mixed differently in every column.
Matrix columns_of(std::uint32_t agent) {
  Matrix patterns(4, 2);
  patterns << 1, 0, 2, 0, 0, 3, 0, 1;
  Matrix mix(2, 5);
  mix << 1, 2, 3, 4, 5, 5, 4, 3, 2, 1;
  return patterns * (mix.array() + static_cast<double>(agent)).matrix();
}

protocol::SumSecrets secrets_of(AgentId self) {
  std::vector<crypto::IdentityBytes> members, nonces;
  for (std::uint32_t i = 0; i < kAgents; ++i) {
    members.push_back(protocol::simulated_identity(kSeed, AgentId{i}).public_bytes());
    nonces.push_back(protocol::ephemeral_key(protocol::simulated_secret(kSeed, AgentId{i})).public_bytes());
  }
  return {protocol::simulated_identity(kSeed, self), protocol::ephemeral_key(protocol::simulated_secret(kSeed, self)),
          std::make_shared<const std::vector<crypto::IdentityBytes>>(std::move(members)),
          std::make_shared<const std::vector<crypto::IdentityBytes>>(std::move(nonces))};
}

std::unique_ptr<protocol::Agent> make_agent(std::uint32_t i, const protocol::RunSettings& settings,
                                            const protocol::Graph& graph) {
  protocol::AgentConfig config;
  config.run = protocol::simulated_run_id(kSeed);
  config.settings = settings;
  config.settings_digest = settings.digest(graph);
  config.self = AgentId{i};
  config.agents = graph.agents();
  config.neighbours = graph.neighbours(config.self);
  config.place = protocol::spanning_tree(graph)[i];
  config.start = [settings](int number) {
    return nmf::common_start(settings.start, settings.rows, settings.rank, Seed::from_number(kSeed),
                             static_cast<std::uint64_t>(number));
  };
  config.columns = nmf::dense_holder(columns_of(i));
  config.masks = secrets_of(config.self);
  return std::make_unique<protocol::Agent>(std::move(config), protocol::simulated_secret(kSeed, AgentId{i}));
}

}  // namespace

int main() {
  const auto graph = protocol::Graph::create(kAgents, {{0, 1}});
  protocol::Settings said;
  said.rank = 2;
  const auto made = protocol::make_run_settings(said, 4, *graph);
  if (!made) {
    std::fprintf(stderr, "%s\n", made.error().message.c_str());
    return 1;
  }
  const protocol::RunSettings& settings = *made;

  std::vector<std::unique_ptr<protocol::Agent>> agents;
  for (std::uint32_t i = 0; i < kAgents; ++i) agents.push_back(make_agent(i, settings, *graph));

  std::deque<std::pair<std::uint32_t, protocol::Event>> queue{{0, protocol::Started{}}, {1, protocol::Started{}}};
  std::size_t messages = 0;
  while (!queue.empty()) {
    const auto [to, event] = std::move(queue.front());
    queue.pop_front();
    // A driver that may be killed makes step.state durable before it sends anything.
    const protocol::Step step = agents[to]->step(event);
    if (const Error* error = step.failure()) {
      std::fprintf(stderr, "agent %u: %s\n", to, error->message.c_str());
      return 1;
    }
    for (const protocol::Send& send : step.sends) {
      queue.emplace_back(send.to.value, protocol::Received{AgentId{to}, send.message});
      ++messages;
    }
  }
  for (const auto& agent : agents) {
    if (!agent->finished()) return 1;
  }
  const Matrix& X = agents[0]->X();
  std::printf("%zu messages, the same X to the bit: %s\n", messages, X == agents[1]->X() ? "yes" : "no");
  for (Index row = 0; row < X.rows(); ++row) std::printf("%8.4f %8.4f\n", X(row, 0), X(row, 1));
  return X == agents[1]->X() ? 0 : 1;
}
