#include "launch/throw_away.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consortium/run_settings.h"
#include "identity/test_identity.h"
#include "sim/ciphers.h"
#include "sim/topology.h"

namespace ppdnmf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Result<CheckedConsortium> consortium_of(const char* topology, std::uint32_t agents, AgreedExchange exchange) {
  const Graph graph = make_topology(topology, agents, Seed::from_number(1)).value();
  const auto identities = throw_away_identities(agents, 7, kTestTime).value();
  AgreedSettings settings;
  settings.rows = 20;
  settings.rank = 3;
  settings.exchange = exchange;
  std::vector<std::uint16_t> ports;
  for (std::uint32_t i = 0; i < agents; ++i) ports.push_back(static_cast<std::uint16_t>(7000 + i));
  return throw_away_consortium(identities, ports, graph, settings, 7, kTestTime);
}

TEST(ThrowAway, IdentitiesHaveTheKeysThatSimulateTakesFromTheSeed) {
  const auto identities = throw_away_identities(3, 7, kTestTime);
  ASSERT_TRUE(identities);
  const SumSecretsFactory simulated = simulated_sum_secrets(3, 7);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const SumSecrets secrets = simulated(AgentId{i});
    EXPECT_EQ((*identities)[i].public_identity().x25519(), (*secrets.members)[i]);
    EXPECT_EQ((*identities)[i].public_identity().name(), throw_away_name(i));
  }
  EXPECT_NE((*identities)[0].public_identity().x25519(),
            throw_away_identities(1, 8, kTestTime)->front().public_identity().x25519());
}

TEST(ThrowAway, ConsortiumIsAcceptedWithEveryExchangeAndGraph) {
  for (const AgreedExchange exchange : {AgreedExchange::kHardened, AgreedExchange::kSum, AgreedExchange::kAsPrinted}) {
    for (const char* topology : {"ring", "line", "star", "complete", "random:3"}) {
      for (const std::uint32_t agents : {2U, 3U, 9U}) {
        const auto checked = consortium_of(topology, agents, exchange);
        ASSERT_TRUE(checked) << checked.error().message;
        EXPECT_EQ(checked->graph().edges(), make_topology(topology, agents, Seed::from_number(1))->edges());
        EXPECT_EQ(checked->content().throw_away_seed, 7U);
        // As an agent reads it.
        const auto parsed = parse_consortium(write_consortium(checked->content()));
        ASSERT_TRUE(parsed) << parsed.error().message;
        EXPECT_EQ(digest_of(*parsed), checked->digest());
      }
    }
  }
}

TEST(ThrowAway, SingleNeighboursAreAllowedWhereTheyAre) {
  EXPECT_THAT(consortium_of("line", 4, AgreedExchange::kHardened)->content().allow_degree_one,
              ElementsAre("agent-0", "agent-3"));
  EXPECT_THAT(consortium_of("ring", 4, AgreedExchange::kHardened)->content().allow_degree_one, IsEmpty());
  EXPECT_THAT(consortium_of("line", 4, AgreedExchange::kSum)->content().allow_degree_one, IsEmpty());
}

}  // namespace
}  // namespace ppdnmf
