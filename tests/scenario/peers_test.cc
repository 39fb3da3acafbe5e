// Neighbours that do what they must not, under encryption. Each case is named in an error or ignored, as the agent's
// contract says; nobody else's state changes.
#include <deque>
#include <functional>

#include "tests/scenario/harness.h"

namespace ppdnmf::scenario {
namespace {

using testing::Test;

// Three agents on a ring, stepped one message at a time, with a hand on everything that agent 1 sends to agent 0.
class Peers : public Test {
 protected:
  Peers() : problem_(small_problem(2, "ring", 3, 4, 2)) {
    factory_ = *paillier_ciphers(problem_.config.settings, problem_.graph, small_keys(), problem_.config.seed, serial_executor());
    for (std::uint32_t i = 0; i < 3; ++i) {
      AgentConfig config;
      config.run = simulated_run_id(problem_.config.seed);
      config.settings = problem_.config.settings;
      config.settings_digest = config.settings.digest(problem_.graph);
      config.self = AgentId{i};
      config.neighbours = problem_.graph.neighbours(config.self);
      config.X0 = common_start(Start::kRandom, 4, 2, Seed::from_number(2));
      config.Z = problem_.Z[i];
      config.cipher = factory_(config.self);
      agents_.push_back(std::make_unique<Agent>(std::move(config), simulated_secret(problem_.config.seed, AgentId{i})));
    }
  }

  // Carries messages until nothing moves. `hand` may change what agent 1 sends to agent 0, or drop it by returning false.
  void carry(const std::function<bool(Message&)>& hand) {
    for (std::uint32_t i = 0; i < 3; ++i) take(i, agents_[i]->step(Started{}));
    while (!on_the_way_.empty()) {
      Delivery next = std::move(on_the_way_.front());
      on_the_way_.pop_front();
      if (next.from.value == 1 && next.to.value == 0 && !hand(next.message)) continue;
      take(next.to.value, agents_[next.to.value]->step(Received{next.from, std::move(next.message)}));
    }
  }

  void take(std::uint32_t agent, std::vector<Action> actions) {
    for (Action& action : actions) {
      if (auto* send = std::get_if<Send>(&action)) on_the_way_.push_back({AgentId{agent}, send->to, std::move(send->message)});
      if (const auto* fail = std::get_if<Fail>(&action)) failures_[agent] = fail->error.message;
      if (const auto* complaint = std::get_if<Complain>(&action)) complaints_[agent] = complaint->what;
    }
  }

  // Agent 0 must give up with a sentence that names agent 1 and contains `words`; the others must not fail.
  void expect_failure(const std::string& words) {
    ASSERT_EQ(failures_.size(), 1U);
    EXPECT_NE(failures_[0].find("agent 1"), std::string::npos) << failures_[0];
    EXPECT_NE(failures_[0].find(words), std::string::npos) << failures_[0];
  }

  // Stops agent 1's messages to agent 0 once `first` has come, so that agent 0 stands still with that message in hand.
  template <typename Body>
  void stop_at_first(Body& first) {
    bool stopped = false;
    carry([&](Message& message) {
      if (stopped) return false;
      if (const auto* body = std::get_if<Body>(&message.body)) {
        first = *body;
        stopped = true;
        return false;
      }
      return true;
    });
    ASSERT_TRUE(stopped);
  }

  // Agent 0 is given a message from `from`; it must neither act nor change.
  void expect_ignored(AgentId from, Message message) {
    const Bytes before = agents_[0]->save();
    const std::vector<Action> actions = agents_[0]->step(Received{from, std::move(message)});
    EXPECT_TRUE(actions.empty());
    EXPECT_EQ(agents_[0]->save(), before);
  }

  [[nodiscard]] Message wrap(std::variant<Hello, Query, Reply> body) const {
    return {simulated_run_id(problem_.config.seed), std::move(body)};
  }

  Problem problem_;
  CipherFactory factory_;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::deque<Delivery> on_the_way_;
  std::map<std::uint32_t, std::string> failures_;
  std::map<std::uint32_t, std::string> complaints_;
};

constexpr std::size_t kModulusAt = 4;   // the encoded key's header
constexpr std::size_t kModulusBytes = 64;

TEST_F(Peers, WithoutAHandTheRunEnds) {
  carry([](Message&) { return true; });
  EXPECT_TRUE(failures_.empty());
  for (const auto& agent : agents_) EXPECT_TRUE(agent->finished());
}

TEST_F(Peers, AnEvenModulusIsNamed) {
  carry([](Message& message) {
    if (auto* hello = std::get_if<Hello>(&message.body); hello != nullptr && hello->stage == 0) hello->payload[kModulusAt] &= 0xfe;
    return true;
  });
  expect_failure("");
}

TEST_F(Peers, AShortGreetingIsNamed) {
  carry([](Message& message) {
    if (auto* hello = std::get_if<Hello>(&message.body); hello != nullptr && hello->stage == 0) hello->payload.resize(10);
    return true;
  });
  expect_failure("too short");
}

TEST_F(Peers, TooFewNoncesAreNamed) {
  carry([](Message& message) {
    if (auto* hello = std::get_if<Hello>(&message.body); hello != nullptr && hello->stage == 1) hello->payload.clear();
    return true;
  });
  expect_failure("nonces");
}

TEST_F(Peers, OtherSettingsAreNamed) {
  carry([](Message& message) {
    if (auto* hello = std::get_if<Hello>(&message.body)) hello->settings[0] ^= 1;
    return true;
  });
  expect_failure("other settings");
}

TEST_F(Peers, AZeroCiphertextIsNamedWithItsIndex) {
  carry([](Message& message) {
    if (auto* query = std::get_if<Query>(&message.body)) std::fill_n(query->payload.begin(), 2 * kModulusBytes, std::uint8_t{0});
    return true;
  });
  expect_failure("0");
}

TEST_F(Peers, ACiphertextThatIsNoUnitIsNamed) {
  Bytes modulus;
  carry([&](Message& message) {
    if (auto* hello = std::get_if<Hello>(&message.body); hello != nullptr && hello->stage == 0) {
      modulus.assign(hello->payload.begin() + kModulusAt, hello->payload.begin() + kModulusAt + kModulusBytes);
    }
    if (auto* query = std::get_if<Query>(&message.body)) {
      std::fill_n(query->payload.begin(), 2 * kModulusBytes, std::uint8_t{0});
      std::copy(modulus.begin(), modulus.end(), query->payload.begin());  // n itself: shares a factor with n
    }
    return true;
  });
  expect_failure("0");
}

TEST_F(Peers, ATruncatedBatchIsNamed) {
  carry([](Message& message) {
    if (auto* query = std::get_if<Query>(&message.body)) query->payload.pop_back();
    return true;
  });
  expect_failure("");
}

TEST_F(Peers, ATruncatedReplyIsNamed) {
  carry([](Message& message) {
    if (auto* reply = std::get_if<Reply>(&message.body)) reply->payload.resize(reply->payload.size() / 2);
    return true;
  });
  expect_failure("");
}

TEST_F(Peers, AReplyThatWasTamperedWithDoesNotPassForANumber) {
  carry([](Message& message) {
    if (auto* reply = std::get_if<Reply>(&message.body)) reply->payload[0] ^= 1;
    return true;
  });
  ASSERT_EQ(failures_.count(0), 1U);  // the masks no longer cancel: what comes out is no packed vector
}

TEST_F(Peers, AnotherRunAStrangerThePastAndTheFarFutureAreIgnored) {
  Query query;
  stop_at_first(query);
  Message other_run = wrap(query);
  other_run.run[0] ^= 1;
  expect_ignored(AgentId{1}, other_run);
  expect_ignored(AgentId{7}, wrap(query));
  expect_ignored(AgentId{0}, wrap(query));
  Query past = query;
  past.round = {0, 1};
  expect_ignored(AgentId{1}, wrap(past));
  Query future = query;
  future.round = {9, 9};
  expect_ignored(AgentId{1}, wrap(future));
  Reply reply{{9, 9}, 0, query.payload};
  expect_ignored(AgentId{1}, wrap(reply));
  Hello hello;
  hello.stage = 40;
  hello.settings = problem_.config.settings.digest(problem_.graph);
  expect_ignored(AgentId{1}, wrap(hello));
}

TEST_F(Peers, OfTwoDifferentQueriesOnlyTheFirstIsAnswered) {
  Query query;
  stop_at_first(query);
  take(0, agents_[0]->step(Received{AgentId{1}, wrap(query)}));
  const std::size_t answers = on_the_way_.size();
  EXPECT_GT(answers, 0U);
  Query second = query;
  std::swap(second.payload.front(), second.payload.back());
  second.payload.front() ^= 1;
  take(0, agents_[0]->step(Received{AgentId{1}, wrap(second)}));
  EXPECT_EQ(on_the_way_.size(), answers) << "the second question got an answer";
  EXPECT_NE(complaints_[0].find("two different questions"), std::string::npos);
  take(0, agents_[0]->step(Received{AgentId{1}, wrap(query)}));
  ASSERT_EQ(on_the_way_.size(), answers + 1) << "the first question, asked again, gets the first answer again";
  const auto same = [&](const Delivery& d) { return d.to.value == 1 && d.message == on_the_way_.back().message; };
  EXPECT_GE(std::count_if(on_the_way_.begin(), on_the_way_.end(), same), 2);
}

// The bound of the fixed-point numbers: at it the run goes on, beyond it the agent ends with a sentence, never a number.
TEST(FixedPointBound, IsReportedWithEntryBoundAndOption) {
  Problem problem = small_problem(2, "ring", 3, 4, 2);
  problem.config.settings.u_bound = 1;  // factors of these data exceed it
  problem.config.make_cipher =
      *paillier_ciphers(problem.config.settings, problem.graph, small_keys(), problem.config.seed, serial_executor());
  Simulation simulation = make(problem);
  SerialExecutor serial;
  const auto finished = simulation.run(serial, nullptr, go_on);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::kNumeric);
  for (const char* word : {"entry (", "bound 1", "--u-bound"}) {
    EXPECT_NE(finished.error().message.find(word), std::string::npos) << finished.error().message;
  }
}

}  // namespace
}  // namespace ppdnmf::scenario
