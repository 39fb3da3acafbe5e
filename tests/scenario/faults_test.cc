// Whatever the network and the machines do, X and Y come out the same, to the bit.
#include <functional>

#include "tests/scenario/harness.h"
#include "tests/scenario/kept_ciphers.h"
#include <ppdnmf/host/thread_pool.h>

namespace ppdnmf::scenario {
namespace {

Problem problem_for(std::uint64_t seed) {
  Problem problem = small_problem(seed, kTopologies[seed % 5], 3 + static_cast<std::uint32_t>(seed % 4), 4, 2);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = seed % 3 == 0 ? protocol::SchemeKind::kAsPrinted : protocol::SchemeKind::kHardened;
  s.tolerance = seed % 4 == 0 ? 0.1 : 0;
  s.iterations = 3;
  protocol::complete(s, problem.graph);
  problem.config.make_cipher = sim::plain_ciphers(s);
  return problem;
}

sim::Faults faults_for(std::uint64_t seed) {
  Stream stream(Seed::from_number(seed), 'F');
  sim::Faults faults;
  faults.loss = 0.3 * stream.uniform();
  faults.duplicate = 0.3 * stream.uniform();
  faults.max_delay = 1 + static_cast<std::uint32_t>(stream.below(12));
  faults.crash = 0.2 * stream.uniform();
  return faults;
}

// Runs seeds [first, last) calm and plain, then disturbed as `disguise` makes them; gives the number of crashes.
std::uint64_t compare(std::uint64_t first, std::uint64_t last, const std::function<Problem(const Problem&)>& disguise) {
  std::uint64_t crashes = 0;
  for (std::uint64_t seed = first; seed < last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem problem = problem_for(seed);
    const sim::Simulation calm = run(problem);
    problem.config.faults = faults_for(seed);
    problem.config.fault_seed = seed;
    const sim::Simulation disturbed = run(disguise(problem));
    crashes += disturbed.crashes();
    expect_same(calm, disturbed);
    EXPECT_TRUE(disturbed.complaints().empty()) << disturbed.complaints().front();
    if (testing::Test::HasFailure()) break;
  }
  return crashes;
}

TEST(Faults, LossDuplicationDelayReorderingAndCrashesChangeNothing) {
  EXPECT_GT(compare(0, 500, [](const Problem& problem) { return problem; }), 2000U);
}

// The same 500 seeds in pieces, so that processors share them, and none takes long without fast integers. In every
// eleventh seed an agent that comes back makes its keys again, as it does outside tests; in the others it finds them,
// which takes a third of the time.
class EncryptedFaults : public testing::TestWithParam<std::uint64_t> {};

TEST_P(EncryptedFaults, ChangeNothing) {
  const auto disguise = [](const Problem& problem) {
    const std::uint64_t seed = problem.config.seed;
    Problem hidden =
        encrypted(problem, small_keys(seed % 2 == 0 ? crypto::KeyProfile::kFast : crypto::KeyProfile::kStandard));
    if (seed % 11 != 0) hidden.config.make_cipher = keep_ciphers(std::move(hidden.config.make_cipher));
    return hidden;
  };
  const std::uint64_t seeds = kSanitized ? 12 : 125;
  EXPECT_GT(compare(GetParam(), GetParam() + seeds, disguise), 4 * seeds);
}

INSTANTIATE_TEST_SUITE_P(FromSeed, EncryptedFaults, testing::Values(0, 125, 250, 375));

TEST(Faults, ThreadsChangeNothing) {
  for (const bool faulty : {false, true}) {
    Problem problem = small_problem(11, "random:3", 9);
    if (faulty) problem.config.faults = faults_for(3);
    const sim::Simulation serial = run(problem);
    for (const std::size_t threads : {2U, 4U}) {
      host::ThreadPool pool(threads);
      sim::Simulation parallel = make(problem);
      ASSERT_TRUE(parallel.run(pool, nullptr, go_on));
      expect_same(serial, parallel);
    }
  }
}

TEST(Faults, APausedRunGoesOnInAnotherProcessToTheSameBytes) {
  const Problem problem = small_problem(5, "random:3", 6);
  const sim::Simulation whole = run(problem);
  for (int units = 0; units < 26; ++units) expect_same(whole, paused_after(problem, units));
}

TEST(Faults, EveryTruncationOfACheckpointIsRefused) {
  const Problem problem = small_problem(5, "ring", 3);
  sim::Simulation simulation = make(problem);
  SerialExecutor serial;
  int asked = 0;
  ASSERT_TRUE(simulation.run(
      serial, nullptr, [&] { return asked++ < 9 ? sim::Simulation::Wish::kGoOn : sim::Simulation::Wish::kPause; }));
  const Bytes checkpoint = simulation.save();
  for (std::size_t size = 0; size < checkpoint.size(); size += 7) {
    sim::Simulation other = make(problem);
    EXPECT_FALSE(other.load(ByteSpan(checkpoint).first(size))) << size;
  }
}

TEST(Faults, ARequestToEndEndsAllAgentsAtTheSameRound) {
  Problem problem = small_problem(3, "line", 7);
  problem.config.settings.iterations = 50;
  protocol::complete(problem.config.settings, problem.graph);
  sim::Simulation simulation = make(problem);
  SerialExecutor serial;
  int asked = 0;
  ASSERT_TRUE(simulation.run(
      serial, nullptr, [&] { return asked++ < 20 ? sim::Simulation::Wish::kGoOn : sim::Simulation::Wish::kEnd; }));
  EXPECT_EQ(simulation.stopped_because(), "request");
  EXPECT_LT(simulation.history().size(), 12U);
  for (std::size_t i = 1; i < simulation.agents(); ++i) {
    EXPECT_EQ(simulation.agent(i).rounds(), simulation.agent(0).rounds());
  }
}

}  // namespace
}  // namespace ppdnmf::scenario
