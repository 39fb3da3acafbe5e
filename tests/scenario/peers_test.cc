// Neighbours that do what they must not, under encryption. Each case is named in an error or ignored, as the agent's
// contract says; nobody else's state changes.
#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <optional>

#include "tests/scenario/harness.h"

namespace ppdnmf::scenario {
namespace {

using testing::Test;

constexpr std::size_t kModulusAt = 4;  // after the encoded key's header
constexpr std::size_t kModulusBytes = 64;
constexpr std::size_t kCiphertextBytes = 2 * kModulusBytes;

// Three agents, stepped one message at a time, with a hand on everything that agent 1 sends to agent 0.
class Ring {
 public:
  // late: what agent 2 sends to agent 0 comes after everything else, so that agent 1 is a round ahead of agent 0.
  Ring(const Problem& problem, bool late) : late_(late) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      protocol::AgentConfig config = agent_config(problem, i);
      config.start = [](int) { return nmf::common_start(nmf::Start::kRandom, 10, 2, Seed::from_number(2)); };
      agents.push_back(std::make_unique<protocol::Agent>(std::move(config),
                                                         protocol::simulated_secret(problem.config.seed, AgentId{i})));
    }
  }

  // Carries messages until nothing moves. `before` may change what agent 1 sends to agent 0, or lose it by returning
  // false; `after` sees what was delivered.
  void carry(
      const std::function<bool(protocol::Message&)>& before,
      const std::function<void(const protocol::Message&)>& after = [](auto&) {}) {
    for (std::uint32_t i = 0; i < 3; ++i) take(i, agents[i]->step(protocol::Started{}));
    while (!on_the_way.empty()) {
      const auto prompt = [&](const sim::Delivery& d) { return !(late_ && d.from.value == 2 && d.to.value == 0); };
      auto chosen = std::find_if(on_the_way.begin(), on_the_way.end(), prompt);
      if (chosen == on_the_way.end()) chosen = on_the_way.begin();
      sim::Delivery next = std::move(*chosen);
      on_the_way.erase(chosen);
      const bool in_hand = next.from.value == 1 && next.to.value == 0;
      if (in_hand && !before(next.message)) continue;
      take(next.to.value, agents[next.to.value]->step(protocol::Received{next.from, next.message}));
      if (in_hand) after(next.message);
    }
  }

  void take(std::uint32_t agent, protocol::Step step) {
    for (protocol::Send& send : step.sends) {
      EXPECT_EQ(failures.count(agent), 0U) << "agent " << agent << " goes on after it failed";
      on_the_way.push_back({AgentId{agent}, send.to, std::move(send.message)});
    }
    if (const Error* failure = step.failure()) failures.emplace(agent, *failure);
    for (const protocol::Complaint& complaint : step.complaints) {
      EXPECT_EQ(agent, 0U);
      EXPECT_EQ(complaint.about, AgentId{1});
      complaints.push_back(complaint.what);
    }
  }

  // Gives agent 0 something that must not move it: no message and no end, at most a complaint.
  void disturb(const protocol::Received& stray) {
    const Bytes before = agents[0]->save();
    protocol::Step step = agents[0]->step(stray);
    EXPECT_TRUE(!step.state && step.sends.empty() && step.reports.empty() && !step.end);
    take(0, std::move(step));
    EXPECT_EQ(agents[0]->save(), before);
  }

  [[nodiscard]] bool complained(const std::string& words) const {
    return std::any_of(complaints.begin(), complaints.end(),
                       [&](const std::string& what) { return what.find(words) != std::string::npos; });
  }

  std::vector<std::unique_ptr<protocol::Agent>> agents;
  std::deque<sim::Delivery> on_the_way;
  std::map<std::uint32_t, Error> failures;
  std::vector<std::string> complaints;  // agent 0's of agent 1

 private:
  bool late_;
};

using Change = std::function<bool(protocol::Message&)>;  // whether it changed the message
using Said = std::vector<protocol::Message>;             // by agent 1 to agent 0 so far
using Strays = std::function<std::vector<protocol::Received>(const Said&)>;

Change in_hello(const std::function<void(protocol::Hello&)>& change) {
  return [change](protocol::Message& message) {
    auto* hello = std::get_if<protocol::Hello>(&message.body);
    if (hello == nullptr) return false;
    change(*hello);
    return true;
  };
}

template <typename Body>
Change in_every(const std::function<void(Body&)>& change) {
  return [change](protocol::Message& message) {
    auto* body = std::get_if<Body>(&message.body);
    if (body != nullptr) change(*body);
    return body != nullptr;
  };
}

protocol::Message in_round(protocol::Message message, protocol::Round round) {
  if (auto* query = std::get_if<protocol::Query>(&message.body)) query->round = round;
  if (auto* reply = std::get_if<protocol::Reply>(&message.body)) reply->round = round;
  return message;
}

protocol::Message in_sum(protocol::Message message, std::uint32_t number) {
  std::get<protocol::Partial>(message.body).number = number;
  return message;
}

template <typename Body>
Said only(const Said& said) {
  Said out;
  std::copy_if(said.begin(), said.end(), std::back_inserter(out),
               [](const protocol::Message& message) { return std::holds_alternative<Body>(message.body); });
  return out;
}

protocol::Message changed(protocol::Message message) {
  std::visit([](auto& body) { body.payload.at(1) ^= 1; }, message.body);
  return message;
}

class Peers : public Test {
 protected:
  Peers() : problem_(encrypted(small_problem(2, "ring", 3, 10, 2), small_keys())) {}

  [[nodiscard]] Ring ring(bool late = false) const { return {problem_, late}; }

  // Agent 0 must give up with a sentence that contains `words`. The others must stand where they would stand if the
  // changed messages had been lost: they have learned nothing from agent 0, and agent 0 told them nothing.
  void expect_failure(const Change& change, const std::string& words) {
    Ring misled = ring();
    misled.carry([&](protocol::Message& message) {
      (void)change(message);
      return true;
    });
    ASSERT_EQ(misled.failures.size(), 1U);
    ASSERT_EQ(misled.failures.count(0), 1U);
    const Error& error = misled.failures.at(0);
    EXPECT_EQ(error.code, ErrorCode::kPeer);
    EXPECT_NE(error.message.find(words), std::string::npos) << error.message;
    Ring waiting = ring();
    waiting.carry([&](protocol::Message& message) { return !change(message); });
    EXPECT_TRUE(waiting.failures.empty());
    for (const std::size_t other : {1U, 2U}) EXPECT_EQ(misled.agents[other]->save(), waiting.agents[other]->save());
  }

  // The same, and the sentence is about agent 1.
  void expect_named(const Change& change, const std::string& words) { expect_failure(change, "agent 1: " + words); }

  // Beside every message that agent 1 sends to agent 0, agent 0 gets strays: before it, where they could be taken for
  // it, or after it. They must not move agent 0, and the whole run must end as it does without them.
  enum class Moment : std::uint8_t { kBefore, kAfter };
  [[nodiscard]] std::vector<std::string> expect_no_effect(Moment moment, const Strays& strays) const {
    Ring calm = ring();
    calm.carry([](const protocol::Message&) { return true; });
    std::vector<std::string> complaints;
    for (const bool late : {false, true}) {
      Ring disturbed = ring(late);
      Said said;
      std::size_t given = 0;
      const auto disturb = [&](Moment now) {
        if (now != moment) return;
        for (const protocol::Received& stray : strays(said)) {
          disturbed.disturb(stray);
          ++given;
        }
      };
      disturbed.carry(
          [&](const protocol::Message& message) {
            said.push_back(message);
            disturb(Moment::kBefore);
            return true;
          },
          [&](const protocol::Message&) { disturb(Moment::kAfter); });
      EXPECT_GT(given, 10U);
      EXPECT_TRUE(disturbed.failures.empty());
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(disturbed.agents[i]->finished());
        EXPECT_EQ(disturbed.agents[i]->save(), calm.agents[i]->save()) << "agent " << i << (late ? ", late" : "");
      }
      complaints.insert(complaints.end(), disturbed.complaints.begin(), disturbed.complaints.end());
    }
    return complaints;
  }

  Problem problem_;
};

TEST_F(Peers, WithoutAHandTheRunEnds) {
  Ring calm = ring();
  calm.carry([](const protocol::Message&) { return true; });
  EXPECT_TRUE(calm.failures.empty());
  EXPECT_TRUE(calm.complaints.empty());
  for (const auto& agent : calm.agents) EXPECT_TRUE(agent->finished());
}

// --- named in an error ---------------------------------------------------------------------------------------------

TEST_F(Peers, AWrongModulusIsNamed) {
  expect_named(in_hello([](protocol::Hello& hello) { hello.payload[kModulusAt] &= 0xfe; }),
               "a public key's modulus is even");
  expect_named(in_hello([](protocol::Hello& hello) { hello.payload[kModulusAt + kModulusBytes - 1] = 1; }),
               "a public key's modulus has 505 bits, 512 were agreed");
  const auto divisible_by_three = [](protocol::Hello& hello) {  // 2^512 - 1
    std::fill_n(hello.payload.begin() + kModulusAt, kModulusBytes, std::uint8_t{0xff});
  };
  expect_named(in_hello(divisible_by_three), "a public key's modulus has a factor below");
  expect_named(in_hello([](protocol::Hello& hello) { hello.payload[3] = 4; }), "a key has 1024 bits, 512 were agreed");
}

TEST_F(Peers, AgentZerosOwnKeyIsNamed) {
  const Bytes own = problem_.config.make_cipher(AgentId{0})->greeting(AgentId{1});
  expect_named(in_hello([&](protocol::Hello& hello) { hello.payload = own; }), "it sent this agent's own key");
}

TEST_F(Peers, AShortGreetingIsNamed) {
  expect_named(in_hello([](protocol::Hello& hello) { hello.payload.resize(10); }),
               "a key has 10 bytes, 68 were expected");
  expect_named(in_hello([](protocol::Hello& hello) { hello.payload.pop_back(); }),
               "a key has 67 bytes, 68 were expected");
}

TEST_F(Peers, OtherSettingsAreNamed) {
  const Change other = in_every<protocol::Hello>([](protocol::Hello& hello) { hello.settings[0] ^= 1; });
  expect_failure(other, "agent 1 runs with other settings");
}

TEST_F(Peers, ACiphertextOutOfRangeIsNamedWithItsIndex) {
  for (const std::uint8_t byte : {0x00, 0xff}) {
    const auto fill = [&](auto& body) { std::fill_n(body.payload.begin(), kCiphertextBytes, byte); };
    expect_named(in_every<protocol::Query>(fill), "ciphertext 0 is not between 0 and n^2");
    expect_named(in_every<protocol::Reply>(fill), "ciphertext 0 is not between 0 and n^2");
  }
}

TEST_F(Peers, ACiphertextThatIsNoUnitIsNamed) {
  // n itself shares a factor with n. A query is under agent 1's key, a reply under agent 0's.
  const auto fill = [this](std::uint32_t owner) {
    const Bytes key = problem_.config.make_cipher(AgentId{owner})->greeting(AgentId{2});
    return [key](auto& body) {
      std::fill_n(body.payload.begin(), kCiphertextBytes, std::uint8_t{0});
      std::copy_n(key.begin() + kModulusAt, kModulusBytes, body.payload.begin());
    };
  };
  expect_named(in_every<protocol::Query>(fill(1)), "ciphertext 0 shares a factor with the modulus");
  expect_named(in_every<protocol::Reply>(fill(0)), "ciphertext 0 shares a factor with the modulus");
}

TEST_F(Peers, ATruncatedBatchIsNamed) {
  const auto shorten = [](auto& body) { body.payload.pop_back(); };
  expect_named(in_every<protocol::Query>(shorten), "255 bytes are not 2 ciphertexts of 128 bytes");
  expect_named(in_every<protocol::Reply>(shorten), "255 bytes are not 2 ciphertexts of 128 bytes");
  const auto halve = [](auto& body) { body.payload.resize(body.payload.size() / 2); };
  expect_named(in_every<protocol::Query>(halve), "128 bytes are not 2 ciphertexts of 128 bytes");
  expect_named(in_every<protocol::Reply>(halve), "128 bytes are not 2 ciphertexts of 128 bytes");
}

// The masks no longer cancel, so what comes out is no packed vector. Only the sum is opened: nobody can be named.
TEST_F(Peers, AReplyThatWasTamperedWithDoesNotPassForANumber) {
  expect_failure(in_every<protocol::Reply>([](protocol::Reply& reply) { reply.payload[0] ^= 1; }),
                 "plaintext 0 is not a packed vector");
}

// A neighbour may be one round ahead: its query waits, and is looked at when its turn comes.
TEST_F(Peers, ABadQueryOfTheNextRoundIsNamedWhenItsTurnComes) {
  const auto second = [](const protocol::Message& message) {
    const auto* query = std::get_if<protocol::Query>(&message.body);
    return query != nullptr && query->round == protocol::Round{1, 2};
  };
  Ring misled = ring();
  std::optional<protocol::Message> early;
  misled.carry([&](const protocol::Message& message) {
    if (!early && std::holds_alternative<protocol::Query>(message.body)) {
      early = in_round(message, {1, 2});
      std::get<protocol::Query>(early->body).payload.pop_back();
    }
    const auto* reply = std::get_if<protocol::Reply>(&message.body);
    if (reply != nullptr && reply->round == protocol::Round{1, 1}) misled.disturb({AgentId{1}, early.value()});
    return true;
  });
  ASSERT_EQ(misled.failures.size(), 1U);
  ASSERT_EQ(misled.failures.count(0), 1U);
  const std::string& sentence = misled.failures.at(0).message;
  EXPECT_NE(sentence.find("agent 1: 255 bytes are not 2 ciphertexts"), std::string::npos) << sentence;
  EXPECT_EQ(misled.agents[0]->rounds(), 2U);
  Ring waiting = ring();
  waiting.carry([&](const protocol::Message& message) { return !second(message); });
  for (const std::size_t other : {1U, 2U}) EXPECT_EQ(misled.agents[other]->save(), waiting.agents[other]->save());
}

// --- ignored -------------------------------------------------------------------------------------------------------

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

// The bound of the fixed-point numbers: at it the run goes on, beyond it the agent ends with a sentence, never a
// number.
TEST(FixedPointBound, IsReportedWithEntryBoundAndOption) {
  Problem problem = small_problem(2, "ring", 3, 4, 2);
  for (Matrix& Z : problem.Z) Z *= 1000;
  problem.config.settings.u_bound = 1;  // factors of these data exceed it
  sim::Simulation simulation = make(encrypted(problem, small_keys()));
  SerialExecutor serial;
  const auto finished = simulation.run(serial, nullptr, go_on);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::kNumeric);
  for (const char* word : {"entry (", "bound 1", "`u_bound`"}) {
    EXPECT_NE(finished.error().message.find(word), std::string::npos) << finished.error().message;
  }
}

}  // namespace
}  // namespace ppdnmf::scenario
