// Golden transcripts of tiny runs: a change of the protocol is a difference that a person reads.
// After a change that is meant, run with PPDNMF_WRITE_GOLDEN=1 and read the difference before committing it.
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>

#include "tests/scenario/harness.h"

namespace ppdnmf::scenario {
namespace {

Problem tiny(protocol::ExchangeKind exchange) {
  Problem problem = small_problem(1, "ring", 3, 2, 1);
  protocol::RunSettings& s = problem.config.settings;
  s.exchange = exchange;
  s.bcd = 2;
  s.admm_x = 2;
  s.n_max = 1000;
  if (exchange != protocol::ExchangeKind::kSum) s.weight = 0.25;
  protocol::complete(s, problem.graph);
  problem.config.make_cipher = sim::plain_ciphers(s);
  return problem;
}

std::string transcript_of(Problem problem, bool plain) {
  sim::Transcript transcript(problem.graph.agents(), plain);
  problem.config.make_cipher = transcript.record(problem.config.make_cipher);
  problem.config.recorder = &transcript;
  (void)run(problem);
  return transcript.text();
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = fmt::format("{}/{}.txt", PPDNMF_TRANSCRIPT_DIR, name);
  if (std::getenv("PPDNMF_WRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << path;
}

TEST(Transcript, HardenedInPlainIntegers) {
  expect_golden("hardened_plain", transcript_of(tiny(protocol::ExchangeKind::kHardened), true));
}

TEST(Transcript, AsPrintedInPlainIntegers) {
  expect_golden("as_printed_plain", transcript_of(tiny(protocol::ExchangeKind::kAsPrinted), true));
}

TEST(Transcript, HardenedUnderPaillier) {
  expect_golden("hardened_paillier", transcript_of(encrypted(tiny(protocol::ExchangeKind::kHardened), small_keys()), false));
}

TEST(Transcript, SumInPlainWords) { expect_golden("sum_plain", transcript_of(tiny(protocol::ExchangeKind::kSum), true)); }

TEST(Transcript, SumUnderMasks) { expect_golden("sum_masked", transcript_of(masked(tiny(protocol::ExchangeKind::kSum)), true)); }

// The attack that the hardened exchange closes: as printed, the greatest common divisor of what a neighbour decrypts is
// the sender's weight.
TEST(Transcript, AsPrintedRevealsTheWeightAsTheGreatestCommonDivisor) {
  const auto weights_found = [](protocol::ExchangeKind exchange) {
    Problem problem = small_problem(1, "ring", 3, 12, 3);
    problem.config.settings.exchange = exchange;
    problem.config.settings.weight = 0.25;
    protocol::complete(problem.config.settings, problem.graph);
    problem.config.make_cipher = sim::plain_ciphers(problem.config.settings);
    std::istringstream lines(transcript_of(problem, true));
    int found = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t colon = line.find(": ");
      if (line.find(" opens ") == std::string::npos || colon == std::string::npos) continue;
      std::istringstream numbers(line.substr(colon + 2));
      std::int64_t divisor = 0;
      for (std::int64_t number = 0; numbers >> number;) divisor = std::gcd(divisor, number);
      if (divisor > 100) ++found;  // a weight; blinded sums have no common divisor to speak of
    }
    return found;
  };
  EXPECT_GT(weights_found(protocol::ExchangeKind::kAsPrinted), 60);  // 3 agents, 2 neighbours, 12 exchanges
  EXPECT_EQ(weights_found(protocol::ExchangeKind::kHardened), 0);
}

}  // namespace
}  // namespace ppdnmf::scenario
