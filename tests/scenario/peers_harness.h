// A ring of three agents with a hand on what agent 1 sends to agent 0, under encryption.
#ifndef PPDNMF_TESTS_SCENARIO_PEERS_HARNESS_H_
#define PPDNMF_TESTS_SCENARIO_PEERS_HARNESS_H_

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <optional>

#include "tests/scenario/harness.h"

namespace ppdnmf::scenario {

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

inline Change in_hello(const std::function<void(protocol::Hello&)>& change) {
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

inline protocol::Message in_round(protocol::Message message, protocol::Round round) {
  if (auto* query = std::get_if<protocol::Query>(&message.body)) query->round = round;
  if (auto* reply = std::get_if<protocol::Reply>(&message.body)) reply->round = round;
  return message;
}

inline protocol::Message in_sum(protocol::Message message, std::uint32_t number) {
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

inline protocol::Message changed(protocol::Message message) {
  std::visit([](auto& body) { body.payload.at(1) ^= 1; }, message.body);
  return message;
}

class Peers : public testing::Test {
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

}  // namespace ppdnmf::scenario

#endif  // PPDNMF_TESTS_SCENARIO_PEERS_HARNESS_H_
