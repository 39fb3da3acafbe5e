// Three agents in a line for tests, with what must hold of the one in the middle.
#ifndef PPDNMF_PROTOCOL_TEST_LINE_H_
#define PPDNMF_PROTOCOL_TEST_LINE_H_

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/protocol/agent.h>
#include <ppdnmf/protocol/neighbours/plain_cipher.h>
#include <ppdnmf/protocol/test_agent.h>

namespace ppdnmf::protocol::testing_agents {

inline RunSettings settings(SchemeKind scheme = SchemeKind::kHardened) {
  RunSettings s;
  s.rows = 3;
  s.rank = 2;
  s.iterations = scheme == SchemeKind::kMoments ? 1 : 3;
  s.admm_x = 2;
  s.admm_y = 3;
  s.local_rounds = 2;
  s.scheme = scheme;
  s.data_scale = 1;
  complete(s, line_of_three());
  return s;
}

// A greeting that every neighbour must repeat to the letter; otherwise in plain integers.
class GreetingCipher final : public neighbours::Cipher {
 public:
  explicit GreetingCipher(const RunSettings& s) : plain_(s) {}
  [[nodiscard]] Bytes greeting(AgentId /*to*/) override { return {42}; }
  [[nodiscard]] Status accept_greeting(AgentId from, ByteSpan payload) override {
    if (payload.size() == 1 && payload[0] == 42) return {};
    return error(ErrorCode::kPeer, "agent {} sent a wrong greeting", from.value);
  }
  [[nodiscard]] std::size_t max_greeting_bytes() const override { return 1; }
  [[nodiscard]] std::size_t payload_bytes() const override { return plain_.payload_bytes(); }
  [[nodiscard]] Result<Bytes> make_query(Round round, std::span<const std::int64_t> minus_u) override {
    return plain_.make_query(round, minus_u);
  }
  [[nodiscard]] Result<Bytes> make_reply(Round round, AgentId asker, ByteSpan query,
                                         const neighbours::ReplyTerms& terms) override {
    return plain_.make_reply(round, asker, query, terms);
  }
  [[nodiscard]] Result<std::vector<std::int64_t>> open(Round round,
                                                       std::span<const neighbours::ReceivedReply> replies) override {
    return plain_.open(round, replies);
  }

 private:
  neighbours::PlainCipher plain_;
};

inline Agent make_agent(std::uint32_t self, const RunSettings& s, bool greets = false,
                        std::function<Status(Index)> accept_columns = {}) {
  std::unique_ptr<neighbours::Cipher> cipher = std::make_unique<neighbours::PlainCipher>(s);
  if (greets) cipher = std::make_unique<GreetingCipher>(s);
  return make(self, s, 2, std::move(cipher), std::move(accept_columns));
}

// What must hold of an agent's steps over its whole life.
class Invariants {
 public:
  void see(const Step& step) {
    if (const Finish* finish = step.finish()) {
      // A restarted agent says again what it may not have lived to say; nothing else ends a second time.
      if (!finished) {
        ASSERT_EQ(++ends, 1) << "a run ends once";
      }
      ASSERT_EQ(finished.value_or(finish->because), finish->because);
      finished = finish->because;
    }
    if (const Error* error = step.failure()) {
      ASSERT_EQ(++ends, 1) << "a run ends once";
      ASSERT_TRUE(!step.state && step.sends.empty()) << "a step that fails saves and sends nothing";
      failure = *error;
    }
    for (const Complaint& complaint : step.complaints) complaints.push_back(complaint.what);
    for (const Send& send : step.sends) see(send, step.state.has_value());
  }

  void see(const Send& send, bool saved) {
    ASSERT_TRUE(send.message.run == kRun);
    if (const auto* reply = std::get_if<Reply>(&send.message.body)) {
      const auto [found, fresh] = replies.try_emplace({send.to.value, reply->round}, *reply);
      ASSERT_TRUE(found->second == *reply) << "two answers to one question";
      ASSERT_TRUE(!fresh || saved) << "an answer left before the state that it depends on was saved";
    }
    if (const auto* partial = std::get_if<Partial>(&send.message.body)) {
      const auto [found, fresh] = partials.try_emplace(partial->number, *partial);
      ASSERT_TRUE(found->second == *partial) << "two contributions to one sum";
      ASSERT_TRUE(!fresh || saved) << "a contribution left before the state that it depends on was saved";
    }
    if (const auto* query = std::get_if<Query>(&send.message.body)) {
      const auto [found, fresh] = queries.try_emplace(query->round, *query);
      ASSERT_TRUE(found->second == *query) << "two questions in one round";
      ASSERT_TRUE(!fresh || saved) << "a question left before the state that it depends on was saved";
    }
  }

  int ends = 0;
  std::optional<std::string> finished;
  std::vector<std::string> complaints;
  std::optional<Error> failure;
  std::map<std::pair<std::uint32_t, Round>, Reply> replies;
  std::map<Round, Query> queries;
  std::map<std::uint32_t, Partial> partials;
};

// Three agents, and a queue of messages between them; agent 1, in the middle, is watched.
class Line {
 public:
  explicit Line(const RunSettings& s, bool greets = false, const std::function<Status(Index)>& accept_columns = {}) {
    for (std::uint32_t i = 0; i < 3; ++i) agents.emplace_back(new Agent(make_agent(i, s, greets, accept_columns)));
  }
  void start() {
    for (std::uint32_t i = 0; i < 3; ++i) handle(i, Started{});
  }
  void handle(std::uint32_t i, const Event& event) {
    const Step step = agents[i]->step(event);
    if (i == 1) watched.see(step);
    for (const Send& send : step.sends) queue.emplace_back(send.to.value, Received{AgentId{i}, send.message});
  }
  // Delivers the next message; false if there is none.
  bool deliver() {
    if (queue.empty()) return false;
    const auto [to, received] = std::move(queue.front());
    queue.pop_front();
    handle(to, received);
    return true;
  }
  void tick() {
    for (std::uint32_t i = 0; i < 3; ++i) handle(i, Ticked{});
  }

  std::vector<std::unique_ptr<Agent>> agents;
  std::deque<std::pair<std::uint32_t, Received>> queue;
  Invariants watched;
};

}  // namespace ppdnmf::protocol::testing_agents

#endif  // PPDNMF_PROTOCOL_TEST_LINE_H_
