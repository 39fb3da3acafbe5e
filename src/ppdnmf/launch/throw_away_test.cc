#include <ppdnmf/launch/throw_away.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ppdnmf/consortium/run_settings.h>
#include <ppdnmf/identity/test_identity.h>
#include <ppdnmf/sim/ciphers.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::launch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Result<consortium::CheckedConsortium> consortium_of(const char* topology, std::uint32_t agents,
                                                    protocol::SchemeKind scheme) {
  const protocol::Graph graph = sim::make_topology(topology, agents, Seed::from_number(1)).value();
  const auto identities = throw_away_identities(agents, 7, identity::kTestTime).value();
  protocol::Settings settings;
  settings.rank = 3;
  settings.scheme = scheme;
  std::vector<std::uint16_t> ports;
  for (std::uint32_t i = 0; i < agents; ++i) ports.push_back(static_cast<std::uint16_t>(7000 + i));
  return throw_away_consortium(identities, ports, graph, 20, settings, 7, identity::kTestTime);
}

TEST(ThrowAway, IdentitiesHaveTheKeysThatSimulateTakesFromTheSeed) {
  const auto identities = throw_away_identities(3, 7, identity::kTestTime);
  ASSERT_TRUE(identities);
  const sim::SumSecretsFactory simulated = sim::simulated_sum_secrets(3, 7);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const protocol::SumSecrets secrets = simulated(AgentId{i});
    EXPECT_EQ((*identities)[i].public_identity().x25519(), (*secrets.members)[i]);
    EXPECT_EQ((*identities)[i].public_identity().name(), throw_away_name(i));
  }
  EXPECT_NE((*identities)[0].public_identity().x25519(),
            throw_away_identities(1, 8, identity::kTestTime)->front().public_identity().x25519());
}

TEST(ThrowAway, ConsortiumIsAcceptedWithEverySchemeAndGraph) {
  for (const protocol::SchemeKind scheme :
       {protocol::SchemeKind::kHardened, protocol::SchemeKind::kSum, protocol::SchemeKind::kAsPrinted}) {
    for (const char* topology : {"ring", "line", "star", "complete", "random:3"}) {
      for (const std::uint32_t agents : {2U, 3U, 9U}) {
        const auto checked = consortium_of(topology, agents, scheme);
        ASSERT_TRUE(checked) << checked.error().message;
        EXPECT_EQ(checked->graph().edges(), sim::make_topology(topology, agents, Seed::from_number(1))->edges());
        EXPECT_EQ(checked->content().throw_away_seed, 7U);
        // As an agent reads it.
        const auto parsed = consortium::parse_consortium(consortium::write_consortium(checked->content()));
        ASSERT_TRUE(parsed) << parsed.error().message;
        EXPECT_EQ(consortium::digest_of(*parsed), checked->digest());
      }
    }
  }
}

TEST(ThrowAway, SingleNeighboursAreAllowedWhereTheyAre) {
  EXPECT_THAT(consortium_of("line", 4, protocol::SchemeKind::kHardened)->content().allow_degree_one,
              ElementsAre("agent-0", "agent-3"));
  EXPECT_THAT(consortium_of("ring", 4, protocol::SchemeKind::kHardened)->content().allow_degree_one, IsEmpty());
  EXPECT_THAT(consortium_of("line", 4, protocol::SchemeKind::kSum)->content().allow_degree_one, IsEmpty());
}

}  // namespace
}  // namespace ppdnmf::launch
