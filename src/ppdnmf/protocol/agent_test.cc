// The agent against anything a network can hand it.
#include <ppdnmf/protocol/agent.h>

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <ppdnmf/protocol/test_line.h>

namespace ppdnmf::protocol {
namespace {

using testing_agents::kRun;
using testing_agents::Line;
using testing_agents::line_of_three;
using testing_agents::make_agent;
using testing_agents::settings;

constexpr SchemeKind kKinds[] = {SchemeKind::kAsPrinted, SchemeKind::kHardened, SchemeKind::kSum};

Bytes random_bytes(Stream& stream, std::size_t size) {
  Bytes bytes(size);
  stream.fill(bytes);
  return bytes;
}

void mutate(Stream& stream, Bytes& payload) {
  switch (stream.below(4)) {
    case 0:
      if (!payload.empty()) {
        payload[stream.below(payload.size())] ^= static_cast<std::uint8_t>(1 + stream.below(255));
      }
      break;
    case 1:
      payload.resize(stream.below(payload.size() + 1));
      break;
    default:
      break;
  }
}

// Something that arrives at agent 1 although nobody meant it to.
Event garbage(Stream& stream, const RunSettings& s, const std::vector<Received>& seen) {
  if (stream.below(20) == 0) return Ticked{};
  if (stream.below(60) == 0) return Started{};
  if (stream.below(200) == 0) return StopRequested{};
  Received received;
  received.from = AgentId{static_cast<std::uint32_t>(stream.below(5))};  // strangers and itself, too
  received.message.run = kRun;
  if (!seen.empty() && stream.below(2) == 0) {
    received = seen[stream.below(seen.size())];  // of the past, or a duplicate
    if (stream.below(2) == 0) std::visit([&](auto& body) { mutate(stream, body.payload); }, received.message.body);
    if (stream.below(8) == 0) received.message.run[0] ^= 1U;
    if (stream.below(8) == 0) received.from = AgentId{7};
    return received;
  }
  const Round round{static_cast<std::uint32_t>(stream.below(6)), static_cast<std::uint32_t>(stream.below(5))};
  const std::size_t words = SumScheme::words(s);
  const std::size_t sizes[] = {0, 8 * s.entries(), 8 * s.entries() - 1, 8 * s.entries() + 8, 16, 16 * words, 1 << 20};
  Bytes payload = random_bytes(stream, sizes[stream.below(stream.below(30) == 0 ? 7 : 6)]);
  if (stream.below(2) == 0) {
    for (std::size_t t = 0; t < payload.size(); ++t) payload[t] = t % 8 < 3 ? payload[t] : 0;  // within the bounds
  }
  switch (stream.below(5)) {
    case 0: {
      Hello hello;
      hello.again = stream.below(2) == 0;
      if (stream.below(200) != 0) hello.common = s.digest(line_of_three());
      hello.weight = static_cast<std::int64_t>(stream.next() >> stream.below(64));
      if (stream.below(3) == 0) hello.payload = std::move(payload);
      received.message.body = hello;
      break;
    }
    case 1:
      received.message.body = Query{round, stream.below(3) == 0 ? 1 : kNever, std::move(payload)};
      break;
    case 2:
      received.message.body =
          Partial{round.iteration, stream.below(3) == 0, s.digest(line_of_three()), std::move(payload)};
      break;
    case 3:
      received.message.body = Total{round.iteration, stream.below(3) == 0, std::move(payload)};
      break;
    default:
      received.message.body =
          Reply{round, static_cast<std::int64_t>(stream.next() >> stream.below(64)), std::move(payload)};
  }
  return received;
}

TEST(Agent, GarbageNeverBreaksItsPromises) {
  int finished = 0;
  int failed = 0;
  std::size_t complaints = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Stream stream(Seed::from_number(seed), 'G');
    const RunSettings s = settings(kKinds[seed % 3]);
    Line line(s, seed % 2 == 0);
    std::vector<Received> seen;
    line.start();
    const std::uint64_t density = 1 + stream.below(6);
    for (int steps = 0; steps < 300; ++steps) {
      while (stream.below(density + 1) == 0) line.handle(1, garbage(stream, s, seen));
      if (!line.queue.empty() && line.queue.front().first == 1) seen.push_back(line.queue.front().second);
      if (!line.deliver()) {
        if (line.watched.ends > 0) break;
        line.tick();
      }
      if (testing::Test::HasFatalFailure()) return;
    }
    complaints += line.watched.complaints.size();
    if (line.watched.failure) {
      ++failed;
      EXPECT_FALSE(line.watched.failure->message.empty());
    } else if (line.watched.ends == 1) {
      ++finished;
    }
  }
  // All fates must have been seen, or the garbage was too weak or too strong.
  EXPECT_GT(finished, 100);
  EXPECT_GT(failed, 100);
  EXPECT_GT(complaints, 100U);
}

// Only messages that say nothing to this agent: strangers, other runs, the past. The result must not change by a bit.
TEST(Agent, WhatIsNotMeantForItChangesNothing) {
  const RunSettings s = settings();
  Line calm(s);
  calm.start();
  while (calm.deliver()) continue;
  ASSERT_TRUE(calm.agents[1]->finished());

  Line noisy(s);
  std::vector<Received> seen;
  noisy.start();
  while (!noisy.queue.empty()) {
    const auto& [to, next] = noisy.queue.front();
    if (to == 1) {
      Received other_run = next;
      other_run.message.run[5] = 9;
      Received stranger = next;
      stranger.from = AgentId{2 + next.from.value};
      if (stranger.from.value == 2) stranger.from = AgentId{1};
      seen.push_back(next);
      noisy.handle(1, other_run);
      noisy.handle(1, stranger);
      for (const Received& old : seen) noisy.handle(1, old);
    }
    noisy.deliver();
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_TRUE(noisy.agents[1]->finished());
  EXPECT_TRUE(noisy.watched.complaints.empty());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(noisy.agents[i]->X() == calm.agents[i]->X());
    EXPECT_TRUE(noisy.agents[i]->Y() == calm.agents[i]->Y());
  }
}

// Up to the first round of agent 1: greetings and opening are over, no neighbour's query has arrived.
Line before_first_answers(const RunSettings& s) {
  Line line(s);
  line.start();
  while (line.watched.queries.empty() && line.deliver()) continue;
  line.queue.clear();
  return line;
}

Received query_from(std::uint32_t from, const RunSettings& s, Round round, std::uint8_t value) {
  Bytes payload(8 * s.entries());
  payload[0] = value;
  return {AgentId{from}, Message{kRun, Query{round, kNever, std::move(payload)}}};
}

TEST(Agent, TwoQuestionsInOneRoundGetOneAnswerAndAComplaint) {
  const RunSettings s = settings();
  Line line = before_first_answers(s);
  ASSERT_EQ(line.watched.queries.size(), 1U) << "the first round has not begun";
  const Round first{1, 1};
  line.handle(1, query_from(0, s, first, 1));
  EXPECT_TRUE(line.watched.complaints.empty());
  line.handle(1, query_from(0, s, first, 2));  // before the first was answered
  EXPECT_EQ(line.watched.complaints.size(), 1U);
  line.handle(1, query_from(2, s, first, 3));  // all questions are in: both are answered
  ASSERT_EQ(line.watched.replies.size(), 2U);
  const std::size_t sent = line.queue.size();
  line.handle(1, query_from(0, s, first, 1));  // asked again: the same bytes
  EXPECT_EQ(line.queue.size(), sent + 1);
  EXPECT_TRUE(std::get<Reply>(line.queue.back().second.message.body) == line.watched.replies.at({0, first}));
  line.handle(1, query_from(0, s, first, 2));  // after the first was answered
  EXPECT_EQ(line.watched.complaints.size(), 2U);
  EXPECT_EQ(line.queue.size(), sent + 1) << "the second question was answered";
  EXPECT_EQ(line.watched.ends, 0);
}

TEST(Agent, AStopInThePastIsRefusedWithASentence) {
  const RunSettings s = settings();
  const auto failure_after = [&](std::uint32_t stop_admm) {
    Line line = before_first_answers(s);
    Received query = query_from(0, s, {1, 1}, 1);
    std::get<Query>(query.message.body).stop_admm = stop_admm;
    line.handle(1, query);
    line.handle(1, query_from(2, s, {1, 1}, 3));
    EXPECT_EQ(line.watched.replies.size(), line.watched.failure ? 0U : 2U);
    return line.watched.failure ? line.watched.failure->message : "";
  };
  EXPECT_EQ(failure_after(0), "agent 0 proposes to stop in the past");
  EXPECT_EQ(failure_after(1), "");
}

// What was answered before a crash is not answered otherwise after it.
TEST(Agent, ARestartedAgentGivesTheSameAnswerAndNoOther) {
  const RunSettings s = settings();
  Line line = before_first_answers(s);
  const Round first{1, 1};
  line.handle(1, query_from(0, s, first, 1));
  line.handle(1, query_from(2, s, first, 3));
  const Reply answer = line.watched.replies.at({0, first});
  std::unique_ptr<Agent> restarted(new Agent(make_agent(1, s)));  // cannot be moved: made where it stays
  ASSERT_TRUE(restarted->load(line.agents[1]->save()));
  line.agents[1] = std::move(restarted);
  line.handle(1, Started{});
  line.handle(1, query_from(0, s, first, 2));
  EXPECT_EQ(line.watched.complaints.size(), 1U);
  line.handle(1, query_from(0, s, first, 1));
  EXPECT_TRUE(std::get<Reply>(line.queue.back().second.message.body) == answer);
}

TEST(Agent, OtherSettingsEndTheRunWithASentence) {
  const RunSettings s = settings();
  Line line(s);
  line.start();
  Received hello = line.queue.front().second;
  ASSERT_TRUE(std::holds_alternative<Hello>(hello.message.body));
  hello.from = AgentId{2};
  std::get<Hello>(hello.message.body).common[0] ^= 1U;
  line.handle(1, hello);
  ASSERT_TRUE(line.watched.failure);
  EXPECT_EQ(line.watched.failure->code, ErrorCode::kPeer);
  EXPECT_NE(line.watched.failure->message.find("agent 2"), std::string::npos);
  EXPECT_NE(line.watched.failure->message.find("settings"), std::string::npos);
  EXPECT_TRUE(line.agents[1]->step(Ticked{}).empty()) << "a failed agent says nothing";
}

TEST(Agent, NothingHappensToAFinishedRun) {
  const RunSettings s = settings();
  Line line(s);
  line.start();
  Received hello = line.queue.front().second;
  while (line.deliver()) continue;
  ASSERT_TRUE(line.agents[1]->finished());
  hello.from = AgentId{2};
  std::get<Hello>(hello.message.body).common[0] ^= 1U;
  line.handle(1, hello);
  line.handle(1, StopRequested{});
  line.handle(1, Ticked{});
  EXPECT_EQ(line.watched.ends, 1);
  EXPECT_FALSE(line.watched.failure);
  EXPECT_TRUE(line.agents[1]->finished());
}

// Agent 0 tells the one in the middle alone to end the X step now. The others go on with it, and would wait for ever.
TEST(Agent, NoticesThatItsNeighboursAreInAnotherStep) {
  const RunSettings s = settings();
  Line line(s);
  line.start();
  while (!line.watched.failure && !line.queue.empty()) {
    auto& [to, received] = line.queue.front();
    if (auto* query = std::get_if<Query>(&received.message.body);
        query != nullptr && to == 1 && received.from == AgentId{0}) {
      query->stop_admm = query->round.admm;
    }
    line.deliver();
  }
  ASSERT_TRUE(line.watched.failure);
  EXPECT_EQ(line.watched.failure->code, ErrorCode::kPeer);
  EXPECT_NE(line.watched.failure->message.find("continues iteration 1 beyond round 1"), std::string::npos)
      << line.watched.failure->message;
}

// A neighbour cannot make this agent keep more than honest messages take.
TEST(Agent, MessagesThatAreTooLongAreNotKept) {
  const RunSettings s = settings();
  const std::size_t due = neighbours::PlainCipher(s).payload_bytes();
  Line line(s);
  line.start();
  while (line.deliver()) {
    if (line.queue.empty()) continue;
    for (const std::uint32_t from : {0U, 2U}) {
      for (const Round round : {Round{1, 1}, Round{1, 2}, Round{2, 1}}) {
        line.handle(1, Received{AgentId{from}, {kRun, Query{round, kNever, Bytes(due + 1)}}});
        line.handle(1, Received{AgentId{from}, {kRun, Reply{round, 0, Bytes(due + 1)}}});
      }
      line.handle(1, Received{AgentId{from}, {kRun, Hello{false, s.digest(line_of_three()), 0, Bytes(1)}}});
    }
  }
  EXPECT_TRUE(line.agents[1]->finished());
  ASSERT_FALSE(line.watched.complaints.empty());
  EXPECT_EQ(line.watched.complaints[0],
            "it sent " + std::to_string(due + 1) + " bytes where " + std::to_string(due) + " are the most");
}

TEST(Agent, SeveralWrongGreetingsFailOnce) {
  const RunSettings s = settings();
  Line line(s, true);
  line.handle(1, Started{});
  Hello hello;
  hello.common = s.digest(line_of_three());
  hello.payload = {99};
  for (const std::uint32_t from : {0U, 2U, 0U}) line.handle(1, Received{AgentId{from}, Message{kRun, hello}});
  EXPECT_EQ(line.watched.ends, 1);
  EXPECT_TRUE(line.watched.failure);
}

}  // namespace
}  // namespace ppdnmf::protocol
