// Saved states of an agent: whole, cut short, another run's, damaged.
#include <gtest/gtest.h>

#include <utility>

#include <ppdnmf/protocol/test_line.h>

namespace ppdnmf::protocol {
namespace {

using testing_agents::Line;
using testing_agents::make_agent;
using testing_agents::settings;

// States from the whole life of agent 1.
std::vector<Bytes> saved_states(const RunSettings& s) {
  std::vector<Bytes> states;
  Line line(s);
  states.push_back(line.agents[1]->save());
  line.start();
  states.push_back(line.agents[1]->save());
  while (line.deliver()) {
    Bytes state = line.agents[1]->save();
    if (state != states.back()) states.push_back(std::move(state));
  }
  return states;
}

TEST(AgentState, EveryTruncationIsRefused) {
  for (const SchemeKind scheme :
       {SchemeKind::kHardened, SchemeKind::kAsPrinted, SchemeKind::kSum, SchemeKind::kMoments}) {
    const RunSettings s = settings(scheme);
    for (const Bytes& state : saved_states(s)) {
      Agent whole = make_agent(1, s);
      ASSERT_TRUE(whole.load(state));
      EXPECT_EQ(whole.save(), state) << "a loaded state is saved as it was";
      for (std::size_t size = 0; size < state.size(); ++size) {
        Agent agent = make_agent(1, s);
        const Status loaded = agent.load(ByteSpan(state).first(size));
        ASSERT_FALSE(loaded) << size << " of " << state.size() << " bytes";
        ASSERT_EQ(loaded.error().code, ErrorCode::kInvalidData);
      }
      Bytes longer = state;
      longer.push_back(0);
      EXPECT_FALSE(make_agent(1, s).load(longer));
    }
  }
}

TEST(AgentState, AnotherRunsStateIsRefused) {
  const RunSettings s = settings();
  RunSettings other = s;
  other.iterations = 99;
  for (const Bytes& state : saved_states(s)) EXPECT_FALSE(make_agent(1, other).load(state));
}

// Flipped bytes are refused, or at least never take the agent out of its bounds afterwards.
TEST(AgentState, DamageNeverCrashes) {
  int refused = 0;
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SchemeKind kinds[] = {SchemeKind::kHardened, SchemeKind::kAsPrinted, SchemeKind::kSum, SchemeKind::kMoments};
    const RunSettings s = settings(kinds[seed % 4]);
    Stream stream(Seed::from_number(seed), 'F');
    for (const Bytes& state : saved_states(s)) {
      for (int tries = 0; tries < 12; ++tries) {
        Bytes damaged = state;
        const std::size_t places = 1 + stream.below(3);
        for (std::size_t k = 0; k < places; ++k) {
          const std::uint8_t values[] = {0, 0xff, 0x7f, 0x80, static_cast<std::uint8_t>(stream.below(256))};
          damaged[stream.below(damaged.size())] = values[stream.below(5)];
        }
        Agent agent = make_agent(1, s);
        if (!agent.load(damaged)) {
          ++refused;
          continue;
        }
        ++accepted;
        testing_agents::run_on(agent, 6);
      }
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace ppdnmf::protocol
