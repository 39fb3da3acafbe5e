// Every kind of message at every wrong moment, from a neighbour with a valid certificate: the agent goes on, or ends
// with a sentence that names the neighbour. It never crashes, and it never calls it a defect of its own.
#include "test_agents.h"
#include <ppdnmf/net/test_hostile_peer.h>
#include <ppdnmf/protocol/roll_call.h>
#include <ppdnmf/protocol/seeded_secrets.h>
#include <ppdnmf/wire/envelope.h>

namespace ppdnmf {
namespace {

std::vector<protocol::Body> bodies() {
  std::vector<protocol::Body> out;
  for (const std::size_t size : {0U, 16U, 96U, 208U, 400U}) {
    for (const std::uint32_t number : {0U, 1U, 2U, 3U, 7U, 1'000'000U}) {
      out.emplace_back(protocol::Hello{number % 2 == 0, Digest{}, 1, Bytes(size)});
      out.emplace_back(protocol::Query{protocol::Round{number + 1, 1}, number + 1, Bytes(size)});
      out.emplace_back(protocol::Reply{protocol::Round{number + 1, 1}, -1, Bytes(size)});
      out.emplace_back(protocol::Partial{number, true, Digest{}, Bytes(size, 0xff)});
      out.emplace_back(protocol::Total{number, true, Bytes(size, 0xff)});
    }
  }
  return out;
}

enum class Moment { kBeforeAnybodyCame, kInTheRun, kAfterTheEnd };

class WrongMoment : public ThreeAgents, public ::testing::WithParamInterface<Moment> {
 protected:
  // Agent 0 at the moment, with agent 2 away.
  void prepare() {
    lay_out(GetParam() == Moment::kInTheRun ? 100'000 : 3);
    start(0);
    ASSERT_TRUE(listens(0)) << agents_[0].said;
    if (GetParam() == Moment::kBeforeAnybodyCame) return;
    start(1);
    if (GetParam() == Moment::kAfterTheEnd) {
      start(2, "kill:kept:1");  // so its goodbye is missing
      ASSERT_TRUE(await([&] { return agents_[0].progress().phase == site::AgentPhase::kEnding; })) << agents_[0].said;
    } else {
      start(2);
      ASSERT_TRUE(await([&] { return agents_[0].progress().rounds > 3; })) << agents_[0].said;
    }
    agents_[2].process.reset();
  }
  [[nodiscard]] std::unique_ptr<net::HostilePeer> enter() const {
    auto peer = std::make_unique<net::HostilePeer>(&identities_[2], identities_[0].public_identity(), ports_[0]);
    wire::Introduction hello;
    hello.consortium = consortium_;
    hello.nonce = protocol::ephemeral_key(protocol::simulated_secret(kTestSeed, AgentId{2})).public_bytes();
    if (!peer->open() || !peer->write(framed(wire::encode(hello)))) return nullptr;
    return peer;
  }
  // Whether it goes on. If not, it has ended with a sentence.
  bool goes_on() {
    await([] { return true; });
    const auto code = agents_[0].process->exit_code();
    if (!code) return true;
    await([] { return true; });
    EXPECT_TRUE(*code == 0 || (*code >= 2 && *code <= 6)) << *code << ": " << agents_[0].said;
    if (*code != 0) {
      const std::string& said = agents_[0].said;
      const std::string last = said.substr(said.rfind('\n', said.size() - 2) + 1);
      EXPECT_THAT(last, ::testing::HasSubstr("agent-2")) << "who misbehaved must be named:\n" << said;
    }
    ++ended_;
    return false;
  }
  int ended_ = 0;
};

TEST_P(WrongMoment, EveryKindOfMessageIsTakenOrAnsweredWithASentence) {
  ASSERT_NO_FATAL_FAILURE(prepare());
  std::vector<wire::Envelope> all = {wire::Goodbye{}};
  for (const RunId& run : {protocol::run_id(consortium_), protocol::simulated_run_id(kTestSeed), RunId{9}}) {
    for (const protocol::Body& body : bodies()) all.emplace_back(signed_letter(protocol::Message{run, body}));
  }
  all.emplace_back(wire::Introduction{});  // a second one
  all.emplace_back(wire::Abort{protocol::Reason::kStopped, AgentId{2}});
  std::unique_ptr<net::HostilePeer> peer;
  int sent = 0;
  for (const wire::Envelope& envelope : all) {
    if (!goes_on()) {
      peer.reset();
      ASSERT_LT(ended_, 40) << agents_[0].said;
      ASSERT_NO_FATAL_FAILURE(prepare());
    }
    for (int attempt = 0; attempt < 3; ++attempt) {
      if (!peer) peer = enter();
      if (peer && peer->write(framed(wire::encode(envelope)), 5s)) {
        ++sent;
        if (std::holds_alternative<wire::Introduction>(envelope)) {
          // In order, so everything before it was heard, too, unless that has ended the agent. It is hung up on, but
          // gRPC goes on to take what it writes.
          const auto answered = [&] {
            return agents_[0].said.find("agent-2: it introduced itself twice") != std::string::npos ||
                   agents_[0].process->exit_code().has_value();
          };
          const bool heard = await(answered, attempt < 2 ? 2s : 60s);
          peer.reset();
          if (!heard && attempt < 2) continue;  // it had been hung up on before, for a message that goes before this
          EXPECT_TRUE(heard) << agents_[0].said;
        }
        break;
      }
      peer.reset();
    }
  }
  // The last one was an Abort, which ends a run that has not ended.
  if (GetParam() != Moment::kAfterTheEnd) {
    EXPECT_TRUE(says(0, "agent 2 (agent-2) gave up: it was stopped")) << agents_[0].said;
    EXPECT_TRUE(await([&] { return agents_[0].process->exit_code().has_value(); }));
  }
  (void)goes_on();
  RecordProperty("sent", sent);
  RecordProperty("ended", ended_);
  EXPECT_GT(sent, static_cast<int>(all.size()) / 2);
}

std::string name_of(const ::testing::TestParamInfo<Moment>& moment) {
  constexpr const char* kNames[] = {"BeforeAnybodyCame", "InTheRun", "AfterTheEnd"};
  return kNames[static_cast<int>(moment.param)];
}

INSTANTIATE_TEST_SUITE_P(Moments, WrongMoment,
                         ::testing::Values(Moment::kBeforeAnybodyCame, Moment::kInTheRun, Moment::kAfterTheEnd),
                         name_of);

}  // namespace
}  // namespace ppdnmf
