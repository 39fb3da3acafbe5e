// An encrypted run gives the bytes of a plain one: X, Y and history, whatever the keys, the kernel, the threads, the
// graph or the faults.
#include <tuple>

#include "host/thread_pool.h"
#include "tests/scenario/harness.h"

namespace ppdnmf::scenario {
namespace {

constexpr const char* kTopologies[] = {"ring", "line", "star", "complete", "random:3"};

Problem with_exchange(Problem problem, ExchangeKind exchange) {
  problem.config.settings.exchange = exchange;
  complete(problem.config.settings, problem.graph);
  problem.config.make_cipher = plain_ciphers(problem.config.settings);
  return problem;
}

std::vector<Kernel> kernels() {
  if (ifma_available()) return {Kernel::kGmp, Kernel::kIfma};
  return {Kernel::kGmp};
}

class EncryptedEqualsPlain : public testing::TestWithParam<std::tuple<ExchangeKind, KeyProfile>> {};

TEST_P(EncryptedEqualsPlain, OverSeedsAndTopologiesWithSmallKeys) {
  const auto& [exchange, profile] = GetParam();
  for (std::uint64_t seed = 0; seed < (kSanitized ? 5 : 20); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem plain =
        with_exchange(small_problem(seed, kTopologies[seed % 5], 4 + static_cast<std::uint32_t>(seed % 3)), exchange);
    const Simulation expected = run(plain);
    for (const Kernel kernel : kernels()) expect_same(expected, run(encrypted(plain, small_keys(profile, kernel))));
    if (testing::Test::HasFailure()) return;
  }
}

TEST_P(EncryptedEqualsPlain, AtRealKeySizes) {
  const auto& [exchange, profile] = GetParam();
  Problem plain = small_problem(3, "ring", 3, 4, 2);
  plain.config.settings.bcd = 2;
  plain = with_exchange(std::move(plain), exchange);
  const Simulation expected = run(plain);
  for (const std::size_t bits : {2048U, 3072U}) {
    if (kSanitized && bits > 2048) break;
    for (const Kernel kernel : kernels()) {
      for (const std::size_t threads : {1U, 2U}) {
        ThreadPool pool(threads);
        KeyOptions keys;
        keys.bits = bits;
        keys.profile = profile;
        keys.kernel = kernel;
        Simulation simulation = make(encrypted(plain, keys, pool));
        ASSERT_TRUE(simulation.run(pool, nullptr, go_on));
        expect_same(expected, simulation);
      }
    }
  }
}

std::string variant_name(const testing::TestParamInfo<EncryptedEqualsPlain::ParamType>& instance) {
  return std::string(std::get<0>(instance.param) == ExchangeKind::kHardened ? "Hardened" : "AsPrinted") +
         (std::get<1>(instance.param) == KeyProfile::kStandard ? "Standard" : "Fast");
}

INSTANTIATE_TEST_SUITE_P(Variants, EncryptedEqualsPlain,
                         testing::Combine(testing::Values(ExchangeKind::kHardened, ExchangeKind::kAsPrinted),
                                          testing::Values(KeyProfile::kStandard, KeyProfile::kFast)),
                         variant_name);

TEST(Encrypted, SameSeedSameCiphertexts) {
  const Problem problem = encrypted(small_problem(1, "ring", 4), small_keys());
  EXPECT_EQ(run(problem).bytes_sent(), run(problem).bytes_sent());
}

}  // namespace
}  // namespace ppdnmf::scenario
