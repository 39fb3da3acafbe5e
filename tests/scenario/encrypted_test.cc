// An encrypted run gives the bytes of a plain one: X, Y and history, whatever the keys, the kernel, the threads, the
// graph or the faults.
#include <tuple>

#include "tests/scenario/harness.h"
#include <ppdnmf/host/thread_pool.h>

namespace ppdnmf::scenario {
namespace {

Problem with_scheme(Problem problem, protocol::SchemeKind scheme) {
  problem.config.settings.scheme = scheme;
  protocol::complete(problem.config.settings, problem.graph);
  problem.config.make_cipher = sim::plain_ciphers(problem.config.settings);
  return problem;
}

std::vector<crypto::Kernel> kernels() {
  if (crypto::ifma_available()) return {crypto::Kernel::kGmp, crypto::Kernel::kIfma};
  return {crypto::Kernel::kGmp};
}

class EncryptedEqualsPlain : public testing::TestWithParam<std::tuple<protocol::SchemeKind, crypto::KeyProfile>> {};

TEST_P(EncryptedEqualsPlain, OverSeedsAndTopologiesWithSmallKeys) {
  const auto& [scheme, profile] = GetParam();
  for (std::uint64_t seed = 0; seed < (kSanitized ? 5 : 20); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem plain =
        with_scheme(small_problem(seed, kTopologies[seed % 5], 4 + static_cast<std::uint32_t>(seed % 3)), scheme);
    const sim::Simulation expected = run(plain);
    for (const crypto::Kernel kernel : kernels())
      expect_same(expected, run(encrypted(plain, small_keys(profile, kernel))));
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(EncryptedEqualsPlain, AtRealKeySizes) {
  const auto& [scheme, profile] = GetParam();
  Problem plain = small_problem(3, "ring", 3, 4, 2);
  plain.config.settings.iterations = 2;
  plain = with_scheme(std::move(plain), scheme);
  const sim::Simulation expected = run(plain);
  for (const std::size_t bits : {2048U, 3072U}) {
    if (kSanitized && bits > 2048) break;
    for (const crypto::Kernel kernel : kernels()) {
      for (const std::size_t threads : {1U, 2U}) {
        if (bits > 2048 && threads == 1) continue;  // the number of threads is compared with the shorter keys
        host::ThreadPool pool(threads);
        crypto::KeyOptions keys;
        keys.bits = bits;
        keys.profile = profile;
        keys.kernel = kernel;
        sim::Simulation simulation = make(encrypted(plain, keys, pool));
        ASSERT_TRUE(simulation.run(pool, nullptr, go_on));
        expect_same(expected, simulation);
      }
    }
  }
}

std::string variant_name(const testing::TestParamInfo<EncryptedEqualsPlain::ParamType>& instance) {
  return std::string(std::get<0>(instance.param) == protocol::SchemeKind::kHardened ? "Hardened" : "AsPrinted") +
         (std::get<1>(instance.param) == crypto::KeyProfile::kStandard ? "Standard" : "Fast");
}

INSTANTIATE_TEST_SUITE_P(Variants, EncryptedEqualsPlain,
                         testing::Combine(testing::Values(protocol::SchemeKind::kHardened,
                                                          protocol::SchemeKind::kAsPrinted),
                                          testing::Values(crypto::KeyProfile::kStandard, crypto::KeyProfile::kFast)),
                         variant_name);

// Three agents' ciphers after their greetings.
std::vector<std::unique_ptr<protocol::neighbours::Cipher>> greeted(const Problem& problem) {
  std::vector<std::unique_ptr<protocol::neighbours::Cipher>> ciphers;
  for (std::uint32_t i = 0; i < 3; ++i) ciphers.push_back(problem.config.make_cipher(AgentId{i}));
  for (std::uint32_t from = 0; from < 3; ++from) {
    for (std::uint32_t to = 0; to < 3; ++to) {
      if (from == to) continue;
      const Bytes payload = ciphers[from]->greeting(AgentId{to});
      EXPECT_TRUE(ciphers[to]->accept_greeting(AgentId{from}, payload));
    }
  }
  return ciphers;
}

// A factor that hid two messages would give their difference away, and no sum would show it: the bytes must be those of
// a cipher that prepared nothing, whatever was prepared before, for this round or for another.
TEST(Encrypted, WhatWasPreparedChangesNoByteAndServesItsOwnRoundOnly) {
  for (const protocol::SchemeKind scheme : {protocol::SchemeKind::kHardened, protocol::SchemeKind::kAsPrinted}) {
    const Problem problem = encrypted(with_scheme(small_problem(2, "ring", 3, 4, 2), scheme), small_keys());
    const auto plain = greeted(problem);
    const auto early = greeted(problem);
    const std::vector<std::int64_t> numbers(problem.config.settings.entries(), 5);
    const auto same = [&](protocol::Round round) {
      const auto query = plain[0]->make_query(round, numbers);
      ASSERT_TRUE(query) << query.error().message;
      EXPECT_EQ(early[0]->make_query(round, numbers).value(), query.value());
      const auto reply = plain[1]->make_reply(round, AgentId{0}, *query, {1, numbers, {}});
      ASSERT_TRUE(reply) << reply.error().message;
      EXPECT_EQ(early[1]->make_reply(round, AgentId{0}, *query, {1, numbers, {}}).value(), reply.value());
    };
    EXPECT_TRUE(early[0]->prepare_query({1, 1}));
    EXPECT_FALSE(early[0]->prepare_query({1, 1})) << "it is prepared already";
    EXPECT_TRUE(early[1]->prepare_reply({1, 1}, AgentId{0}));
    EXPECT_FALSE(early[1]->prepare_reply({1, 1}, AgentId{0}));
    same({1, 1});
    same({1, 2});  // used up
    EXPECT_TRUE(early[0]->prepare_query({1, 3}));
    EXPECT_TRUE(early[1]->prepare_reply({1, 3}, AgentId{0}));
    same({2, 1});  // another round came
  }
}

TEST(Encrypted, SameSeedSameCiphertexts) {
  const Problem problem = encrypted(small_problem(1, "ring", 4), small_keys());
  EXPECT_EQ(run(problem).bytes_sent(), run(problem).bytes_sent());
}

}  // namespace
}  // namespace ppdnmf::scenario
