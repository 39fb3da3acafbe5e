// What an agent's steps carry: the state when something of it must not be forgotten, the end, and nothing that fails.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/neighbours/plain_cipher.h>
#include <ppdnmf/protocol/test_line.h>

namespace ppdnmf::protocol {
namespace {

using testing_agents::kRun;
using testing_agents::Line;
using testing_agents::line_of_three;
using testing_agents::make_agent;
using testing_agents::settings;

// It may have been killed between saving and saying so.
TEST(Agent, AFinishedAgentSaysSoAgainAfterARestart) {
  const RunSettings s = settings();
  Line line(s);
  line.start();
  while (line.deliver()) continue;
  ASSERT_TRUE(line.agents[1]->finished());
  Agent restarted = make_agent(1, s);
  ASSERT_TRUE(restarted.load(line.agents[1]->save()));
  const Step step = restarted.step(Started{});
  ASSERT_NE(step.finish(), nullptr);
  EXPECT_EQ(step.finish()->because, line.watched.finished);
  EXPECT_TRUE(!step.state && step.sends.empty() && step.reports.empty() && step.complaints.empty());
  EXPECT_TRUE(restarted.step(Ticked{}).empty());
}

// Otherwise the state of a failed agent would be written over the last good one.
TEST(Agent, AStepThatFailsSavesAndSendsNothing) {
  const RunSettings s = settings(SchemeKind::kAsPrinted);
  Line line(s);
  line.start();
  bool replied = false;
  while (!line.watched.failure && !line.queue.empty()) {
    auto& [to, received] = line.queue.front();
    // Agent 2's question comes after its answer. With it agent 1 answers, which it saves and sends, and opens both
    // replies, which reveal no weight: all in one step.
    const bool of_two = to == 1 && received.from == AgentId{2};
    replied = replied || (of_two && std::holds_alternative<Reply>(received.message.body));
    if (of_two && !replied && std::holds_alternative<Query>(received.message.body)) {
      line.queue.push_back(line.queue.front());
      line.queue.pop_front();
      continue;
    }
    if (auto* reply = std::get_if<Reply>(&received.message.body); reply != nullptr && to == 1) reply->weight = -1;
    const auto [next, event] = line.queue.front();
    line.queue.pop_front();
    const Step step = line.agents[next]->step(event);
    if (next == 1) line.watched.see(step);
    if (step.failure() != nullptr) {
      EXPECT_TRUE(!step.state && step.sends.empty() && step.reports.empty() && step.complaints.empty());
    }
    for (const Send& send : step.sends) line.queue.emplace_back(send.to.value, Received{AgentId{next}, send.message});
  }
  ASSERT_TRUE(line.watched.failure);
}

TEST(Outbox, AFailureTakesBackWhatTheStepWouldHaveSavedAndSent) {
  Outbox out(kRun);
  out.save();
  out.send(AgentId{1}, Query{});
  out.complain(AgentId{1}, "noise");
  out.fail(Error{ErrorCode::kPeer, "it ends"}, Reason::kDefect);
  EXPECT_FALSE(out.saves());
  const Step step = out.take();
  EXPECT_TRUE(step.sends.empty());
  EXPECT_EQ(step.complaints.size(), 1U);
  ASSERT_NE(step.failure(), nullptr);
  EXPECT_EQ(step.failure()->message, "it ends");
  EXPECT_TRUE(out.take().empty());
}

// Whoever asks in a run of sums is not listened to, and nothing of it is kept.
TEST(Agent, ARunOfSumsKnowsNoQuestions) {
  const RunSettings s = settings(SchemeKind::kSum);
  Line calm(s);
  calm.start();
  while (calm.deliver()) continue;
  ASSERT_TRUE(calm.agents[1]->finished());
  Line line(s);
  line.start();
  do {
    for (const std::uint32_t from : {0U, 2U}) {
      for (const Round round : {Round{1, 1}, Round{1, 2}, Round{2, 1}}) {
        line.handle(1, Received{AgentId{from}, {kRun, Query{round, kNever, {}}}});
        line.handle(1, Received{AgentId{from}, {kRun, Reply{round, 1, {}}}});
      }
    }
    EXPECT_TRUE(line.watched.complaints.empty());
    EXPECT_TRUE(line.watched.replies.empty());
  } while (line.deliver());
  EXPECT_TRUE(line.agents[1]->finished());
  EXPECT_TRUE(line.agents[1]->X() == calm.agents[1]->X());
  line.handle(1, Received{AgentId{0}, {kRun, Query{{1, 1}, kNever, Bytes(1)}}});
  ASSERT_EQ(line.watched.complaints.size(), 1U);
  EXPECT_EQ(line.watched.complaints[0], "it sent 1 bytes where 0 are the most");
}

// A driver that never restarts an agent does not pay for its state.
TEST(Agent, StepsCarryTheStateOnlyIfTheDriverWantsIt) {
  const RunSettings s = settings();
  for (const bool wanted : {true, false}) {
    AgentConfig config;
    config.settings = s;
    config.settings_digest = s.digest(line_of_three());
    config.self = AgentId{1};
    config.agents = 3;
    config.neighbours = {AgentId{0}, AgentId{2}};
    config.place = spanning_tree(line_of_three())[1];
    config.start = [](int) { return Matrix(Matrix::Constant(3, 2, 0.5)); };
    config.columns = nmf::dense_holder(Matrix::Ones(3, 2));
    config.cipher = std::make_unique<neighbours::PlainCipher>(s);
    config.steps_carry_state = wanted;
    Agent agent(std::move(config), Seed::from_number(1));
    const Step step = agent.step(Started{});
    EXPECT_EQ(step.sends.size(), 2U);
    ASSERT_EQ(step.state.has_value(), wanted);
    if (wanted) {
      EXPECT_EQ(*step.state, agent.save());
    }
  }
}

TEST(Agent, AnAgentAloneFinishesAtOnce) {
  RunSettings s = settings();
  const Graph alone = *Graph::create(1, {});
  complete(s, alone);
  AgentConfig config;
  config.settings = s;
  config.start = [](int) { return Matrix(Matrix::Constant(3, 2, 0.5)); };
  config.columns = nmf::dense_holder(Matrix::Ones(3, 2));
  config.cipher = std::make_unique<neighbours::PlainCipher>(s);
  Agent agent(std::move(config), Seed::from_number(1));
  const Step step = agent.step(Started{});
  EXPECT_TRUE(agent.finished());
  EXPECT_NE(step.finish(), nullptr);
}

}  // namespace
}  // namespace ppdnmf::protocol
