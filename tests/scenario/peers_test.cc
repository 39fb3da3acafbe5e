// Neighbours that do what they must not, under encryption, and are named in an error, as the agent's contract says;
// nobody else's state changes. What is ignored is in strays_test.cc.
#include "tests/scenario/peers_harness.h"

namespace ppdnmf::scenario {
namespace {

constexpr std::size_t kModulusAt = 4;  // after the encoded key's header
constexpr std::size_t kModulusBytes = 64;
constexpr std::size_t kCiphertextBytes = 2 * kModulusBytes;

TEST_F(Peers, WithoutAHandTheRunEnds) {
  Ring calm = ring();
  calm.carry([](const protocol::Message&) { return true; });
  EXPECT_TRUE(calm.failures.empty());
  EXPECT_TRUE(calm.complaints.empty());
  for (const auto& agent : calm.agents) EXPECT_TRUE(agent->finished());
}

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
  const Change other = in_every<protocol::Hello>([](protocol::Hello& hello) { hello.common[0] ^= 1; });
  expect_failure(other, "agent 1 has other settings");
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
TEST_F(Peers, ABadQueryOfTheNextExchangeIsNamedWhenItsTurnComes) {
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
