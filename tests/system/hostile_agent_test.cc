// A neighbour with a valid certificate that does as it pleases, against an agent as a process. Agent 0 is attacked,
// agent 1 is honest, and agent 2 is the attacker; in the end its true self takes its place and the run ends well.
#include "test_agents.h"
#include <ppdnmf/net/test_hostile_peer.h>
#include <ppdnmf/protocol/roll_call.h>
#include <ppdnmf/protocol/seeded_secrets.h>
#include <ppdnmf/wire/envelope.h>

namespace ppdnmf {
namespace {

// net/transport.h: two neighbours, and no message of such a run has a mebibyte.
constexpr std::size_t kBoundKiB = 2 * (1 + 3 + 6) * 1024 + 16 * 1024;

class HostileAgent : public ThreeAgents {
 protected:
  void SetUp() override {
    ThreeAgents::SetUp();
    start(0);
    start(1);
    ASSERT_TRUE(listens(0)) << agents_[0].said;
    before_ = agents_[0].memory("VmRSS");
    ASSERT_GT(before_, 0U);
  }
  [[nodiscard]] std::unique_ptr<net::HostilePeer> dial() const {
    return std::make_unique<net::HostilePeer>(&identities_[2], identities_[0].public_identity(), ports_[0]);
  }
  [[nodiscard]] wire::Introduction introduction() const {
    wire::Introduction out;
    out.consortium = consortium_;
    out.nonce = protocol::ephemeral_key(protocol::simulated_secret(kTestSeed, AgentId{2})).public_bytes();
    return out;
  }
  // A stream on which it has introduced itself.
  [[nodiscard]] std::unique_ptr<net::HostilePeer> enter() const {
    auto peer = dial();
    if (!peer->open() || !peer->write(framed(wire::encode(introduction())))) return nullptr;
    return peer;
  }
  void expect_bounded_memory() {
    if (std::string(PPDNMF_SANITIZER).empty()) {
      EXPECT_LT(agents_[0].memory("VmHWM"), before_ + kBoundKiB);
      RecordProperty("grown_kib", static_cast<int>(agents_[0].memory("VmHWM") - before_));
    }
    EXPECT_LT(agents_[0].said.size(), 20'000U) << "the log is not a neighbour's to fill";
  }
  void go_on_honestly() {
    expect_bounded_memory();
    start(2);
    expect_good_end();
  }

  std::size_t before_ = 0;
};

TEST_F(HostileAgent, WithoutACertificateNobodyIsHeard) {
  net::HostilePeer stranger(nullptr, identities_[0].public_identity(), ports_[0]);
  EXPECT_FALSE(stranger.open());
  go_on_honestly();
}

TEST_F(HostileAgent, WithACertificateOfNobodyNobodyIsHeard) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto other = identity::PrivateIdentity::generate("agent-2", now);  // the name is right
  net::HostilePeer stranger(&*other, identities_[0].public_identity(), ports_[0]);
  EXPECT_FALSE(stranger.open());
  go_on_honestly();
}

TEST_F(HostileAgent, GarbageIsNamedAndOthersAreServed) {
  Stream draw(Seed::from_number(1), 1);
  for (int n = 0; n < 30; ++n) {
    auto peer = n % 2 == 0 ? enter() : dial();
    if (!peer || (n % 2 == 1 && !peer->open())) continue;  // streams of one peer replace each other
    Bytes garbage(1 + draw.below(300));
    draw.fill(garbage);
    (void)peer->write(framed(garbage));
    (void)peer->read(200ms);
  }
  EXPECT_TRUE(says(0, "agent-2: it sent what is no message")) << agents_[0].said;
  go_on_honestly();
}

TEST_F(HostileAgent, WhoDoesNotIntroduceItselfOrDoesItTwiceIsHungUpOn) {
  auto peer = dial();
  ASSERT_TRUE(peer->open());
  ASSERT_TRUE(peer->write(framed(wire::encode(wire::Goodbye{}))));
  EXPECT_TRUE(says(0, "agent-2: it did not introduce itself first")) << agents_[0].said;
  peer = enter();
  ASSERT_TRUE(peer);
  ASSERT_TRUE(peer->write(framed(wire::encode(introduction()))));
  EXPECT_TRUE(says(0, "agent-2: it introduced itself twice")) << agents_[0].said;
  go_on_honestly();
}

TEST_F(HostileAgent, AnotherConsortiumIsHungUpOnAndTheOtherSideCanSeeIt) {
  auto peer = dial();
  ASSERT_TRUE(peer->open());
  const auto first = peer->read();
  ASSERT_TRUE(first);
  const auto told = wire::decode(*first);
  ASSERT_TRUE(told && std::holds_alternative<wire::Introduction>(*told));
  EXPECT_EQ(std::get<wire::Introduction>(*told).consortium, consortium_);
  wire::Introduction other = introduction();
  other.consortium[0] ^= 1U;
  ASSERT_TRUE(peer->write(framed(wire::encode(other))));
  EXPECT_TRUE(says(0, "agent-2: the two were given different consortium files")) << agents_[0].said;
  EXPECT_FALSE(peer->read(5s));
  EXPECT_THAT(peer->finish().error_message(), ::testing::HasSubstr("different consortium files"));
  go_on_honestly();
}

TEST_F(HostileAgent, OversizedAndEndlessMessagesTakeNoMemory) {
  for (const std::uint64_t size : {std::uint64_t{1} << 20U, std::uint64_t{1} << 40U, ~std::uint64_t{0}}) {
    for (int n = 0; n < 5; ++n) {
      auto peer = enter();
      if (!peer) continue;
      (void)peer->write(net::HostilePeer::first_frame(size, 1U << 20U));
      for (int more = 0; more < 20 && peer->write(Bytes(1U << 20U, 7), 200ms); ++more) {
      }
    }
  }
  EXPECT_TRUE(says(0, "refused agent-2: it wants to send a message of")) << agents_[0].said;
  go_on_honestly();
}

TEST_F(HostileAgent, AFloodOfDuplicatesIsTakenOneByOne) {
  auto peer = enter();
  ASSERT_TRUE(peer);
  // Its part of the roll call and questions of a run that has not begun, again and again, and no answer is read.
  const Bytes question = framed(
      wire::encode(wire::Letter{1, protocol::Message{protocol::run_id(consortium_),
                                                     protocol::Query{protocol::Round{1, 1}, protocol::kNever, {}}}}));
  const Bytes total = framed(wire::encode(
      signed_letter(protocol::Message{protocol::run_id(consortium_), protocol::Total{0, false, Bytes(96)}})));
  int taken = 0;
  for (; taken < 20'000 && peer->write(taken % 2 == 0 ? question : total, 2s); ++taken) {
    if (taken % 500 == 0) await([] { return true; });
  }
  RecordProperty("taken", taken);
  EXPECT_FALSE(agents_[0].process->exit_code()) << agents_[0].said;
  peer.reset();
  go_on_honestly();
}

// Whoever could send a total without signing it could deny it afterwards.
TEST_F(HostileAgent, ATotalThatItsSenderHasNotSignedIsNotTaken) {
  const protocol::Message total{protocol::run_id(consortium_), protocol::Total{0, false, Bytes(96)}};
  wire::Letter of_another = signed_letter(total);
  std::get<protocol::Total>(of_another.message.body).payload[3] ^= 1U;
  for (const wire::Letter& letter : {wire::Letter{1, total}, of_another}) {
    agents_[0].said.clear();
    auto peer = enter();
    ASSERT_TRUE(peer);
    ASSERT_TRUE(peer->write(framed(wire::encode(letter))));
    EXPECT_TRUE(says(0, "agent-2: it sent a part or total that it has not signed")) << agents_[0].said;
  }
  go_on_honestly();
  const auto log = io::read_file(agents_[0].out / "run.log", 1 << 20);
  ASSERT_TRUE(log);
  EXPECT_THAT(std::string(io::as_text(*log)),
              ::testing::HasSubstr(R"("who":"agent-2","why":"it sent a part or total)"));
}

// Else a neighbour could talk until nobody writes it down any more, and then tell what it could deny.
TEST_F(HostileAgent, WhatBringsTheRunFurtherIsOnRecordHoweverMuchWasSaidBefore) {
  const auto lines = [&](const std::string& words) {
    std::ifstream log(agents_[0].out / "run.log");
    std::size_t count = 0;
    for (std::string line; std::getline(log, line);) count += line.find(words) != std::string::npos ? 1U : 0U;
    return count;
  };
  // Progress, such as agent 1's arrival, gives everybody as many lines again.
  ASSERT_TRUE(await([&] { return lines(R"("what":"received","from":"agent-1","of":"roll call",)") > 0; }))
      << agents_[0].said;
  std::unique_ptr<net::HostilePeer> peer;
  for (std::uint32_t n = 1; n <= 40; ++n) {
    const protocol::Message question{protocol::run_id(consortium_),
                                     protocol::Query{protocol::Round{1, n}, protocol::kNever, {}}};
    const Bytes letter = framed(wire::encode(wire::Letter{1, question, {}}));
    for (int attempt = 0; attempt < 20 && !(peer && peer->write(letter, 2s)); ++attempt) peer = enter();
  }
  const std::string from = R"("what":"received","from":"agent-2","of":"roll call",)";
  ASSERT_TRUE(await([&] { return lines(from + R"("kind":"query")") >= 16; })) << agents_[0].said;
  await([] { return false; }, 500ms);  // what is on its way arrives
  EXPECT_EQ(lines(from), 16U) << "its lines are bounded";
  peer.reset();
  go_on_honestly();
  EXPECT_EQ(lines(from + R"("kind":"part")"), 1U);
}

TEST_F(HostileAgent, TalkMakesNobodyMorePatient) {
  start(0, nullptr, {"--max-wait", "2"});
  std::unique_ptr<net::HostilePeer> peer;
  ASSERT_TRUE(await([&] { return (peer = enter()) != nullptr; })) << agents_[0].said;
  const Bytes question = framed(
      wire::encode(wire::Letter{1, protocol::Message{protocol::run_id(consortium_),
                                                     protocol::Query{protocol::Round{1, 1}, protocol::kNever, {}}}}));
  const auto ended = [&] { return agents_[0].process->exit_code().has_value(); };
  for (int n = 0; n < 100 && !await(ended, 100ms); ++n) (void)peer->write(question, 2s);
  ASSERT_TRUE(ended()) << agents_[0].said;
  EXPECT_EQ(agents_[0].process->exit_code(), 6);
  EXPECT_TRUE(says(0, "nothing that this run waits for came from")) << agents_[0].said;
  peer.reset();
  start(0);
  go_on_honestly();
}

TEST_F(HostileAgent, StreamsThatSayNothingAreReplaced) {
  std::vector<std::unique_ptr<net::HostilePeer>> all;
  for (int n = 0; n < 40; ++n) {
    all.push_back(dial());
    EXPECT_TRUE(all.back()->open());
  }
  go_on_honestly();
}

}  // namespace
}  // namespace ppdnmf
