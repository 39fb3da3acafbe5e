// Messages that an agent must ignore: of another run, of strangers, too early, too late or said twice.
#include "tests/scenario/peers_harness.h"

namespace ppdnmf::scenario {
namespace {

TEST_F(Peers, AnotherRunsMessagesAreIgnored) {
  const auto complaints = expect_no_effect(Moment::kBefore, [](const Said& said) {
    protocol::Message other = changed(said.back());
    other.run[0] ^= 1;
    return std::vector<protocol::Received>{{AgentId{1}, other}};
  });
  EXPECT_TRUE(complaints.empty());
}

TEST_F(Peers, AStrangersMessagesAreIgnored) {
  const auto complaints = expect_no_effect(Moment::kBefore, [](const Said& said) {
    // An agent that is not there, and agent 0 itself.
    return std::vector<protocol::Received>{{AgentId{7}, changed(said.back())}, {AgentId{0}, changed(said.back())}};
  });
  EXPECT_TRUE(complaints.empty());
}

TEST_F(Peers, ThePastIsIgnored) {
  const auto complaints = expect_no_effect(Moment::kBefore, [](const Said& said) {
    std::vector<protocol::Received> past;
    // What agent 1 said before, and what it did not say then.
    const auto add = [&](const Said& earlier, std::size_t present) {
      for (std::size_t i = 0; i + present < earlier.size(); ++i) {
        past.push_back({AgentId{1}, earlier[i]});
        past.push_back({AgentId{1}, changed(earlier[i])});
      }
    };
    const Said before(said.begin(), said.end() - 1);
    add(only<protocol::Hello>(before), 1);
    add(only<protocol::Query>(before),
        2);  // the last one may wait for its answer, the one before would be answered again
    add(only<protocol::Reply>(before), 1);
    add(only<protocol::Partial>(before), 2);  // as with queries: the one before would be answered with its total again
    return past;
  });
  EXPECT_TRUE(complaints.empty());
}

TEST_F(Peers, TheFarFutureIsIgnored) {
  const auto complaints = expect_no_effect(Moment::kBefore, [](const Said& said) {
    std::vector<protocol::Received> future;
    protocol::Message message = changed(said.back());
    if (std::holds_alternative<protocol::Hello>(message.body)) return future;  // there is one, and it is due
    if (const auto* partial = std::get_if<protocol::Partial>(&message.body)) {
      // Agent 0 is in this sum or in the one before; the part after its own may come early.
      for (const std::uint32_t far : {partial->number + 2, protocol::kNever})
        future.push_back({AgentId{1}, in_sum(message, far)});
      return future;
    }
    const auto* query = std::get_if<protocol::Query>(&message.body);
    const protocol::Round round = query != nullptr ? query->round : std::get<protocol::Reply>(message.body).round;
    // Agent 0 is in this round or in the one before; the query after its own may come early.
    for (const protocol::Round far :
         {protocol::Round{round.iteration, round.admm + 2}, protocol::Round{round.iteration + 2, 1},
          protocol::Round{protocol::kNever, protocol::kNever}}) {
      future.push_back({AgentId{1}, in_round(message, far)});
    }
    return future;
  });
  EXPECT_TRUE(complaints.empty());
}

TEST_F(Peers, OfTwoDifferentQueriesTheFirstCounts) {
  const auto complaints = expect_no_effect(Moment::kAfter, [](const Said& said) {
    // Another version of the query that waits, and of the one before, which may have been answered.
    const Said queries = only<protocol::Query>(said);
    std::vector<protocol::Received> second;
    for (std::size_t i = queries.size() - std::min<std::size_t>(queries.size(), 2); i < queries.size(); ++i) {
      second.push_back({AgentId{1}, changed(queries[i])});
    }
    return second;
  });
  // Both kinds must have been met: before the first was answered, and after.
  for (const char* const words : {"the first counts", "the second got no answer"}) {
    const auto says = [&](const std::string& what) {
      return what == "it asked two different questions in one round; " + std::string(words);
    };
    EXPECT_TRUE(std::any_of(complaints.begin(), complaints.end(), says)) << words;
  }
}

TEST_F(Peers, AQueryAskedAgainGetsTheFirstAnswerAgain) {
  Ring stopped = ring();
  std::optional<protocol::Message> query;
  stopped.carry([&](const protocol::Message& message) {
    if (!query && std::holds_alternative<protocol::Query>(message.body)) query = message;
    return !query;
  });
  ASSERT_TRUE(query);
  const protocol::Received question{AgentId{1}, *query};
  stopped.take(0, stopped.agents[0]->step(question));
  const std::size_t answers = stopped.on_the_way.size();
  EXPECT_GT(answers, 0U);
  stopped.disturb({AgentId{1}, changed(*query)});
  EXPECT_EQ(stopped.on_the_way.size(), answers) << "the second question got an answer";
  EXPECT_TRUE(stopped.complained("the second got no answer"));
  stopped.take(0, stopped.agents[0]->step(question));
  ASSERT_EQ(stopped.on_the_way.size(), answers + 1);
  const auto same = [&](const sim::Delivery& d) {
    return d.to.value == 1 && d.message == stopped.on_the_way.back().message;
  };
  EXPECT_GE(std::count_if(stopped.on_the_way.begin(), stopped.on_the_way.end(), same), 2);
}

}  // namespace
}  // namespace ppdnmf::scenario
