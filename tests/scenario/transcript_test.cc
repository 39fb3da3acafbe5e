// Golden transcripts of tiny runs: a change of the protocol is a difference that a person reads.
// After a change that is meant, run with PPDNMF_WRITE_GOLDEN=1 and read the difference before committing it.
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>

#include "tests/scenario/harness.h"

namespace ppdnmf::scenario {
namespace {

Problem tiny(protocol::SchemeKind scheme) {
  Problem problem = small_problem(1, "ring", 3, 2, 1);
  protocol::RunSettings& s = problem.config.settings;
  s.scheme = scheme;
  s.iterations = 2;
  s.admm_x = 2;
  s.n_max = 1000;
  if (scheme != protocol::SchemeKind::kSum) s.weight = 0.25;
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
  expect_golden("hardened_plain", transcript_of(tiny(protocol::SchemeKind::kHardened), true));
}

TEST(Transcript, AsPrintedInPlainIntegers) {
  expect_golden("as_printed_plain", transcript_of(tiny(protocol::SchemeKind::kAsPrinted), true));
}

TEST(Transcript, HardenedUnderPaillier) {
  expect_golden("hardened_paillier",
                transcript_of(encrypted(tiny(protocol::SchemeKind::kHardened), small_keys()), false));
}

TEST(Transcript, SumInPlainWords) { expect_golden("sum_plain", transcript_of(tiny(protocol::SchemeKind::kSum), true)); }

TEST(Transcript, SumUnderMasks) {
  expect_golden("sum_masked", transcript_of(masked(tiny(protocol::SchemeKind::kSum)), true));
}

// The attack that the hardened scheme closes: as printed, the greatest common divisor of what a neighbour decrypts is
// the sender's weight.
TEST(Transcript, AsPrintedRevealsTheWeightAsTheGreatestCommonDivisor) {
  const auto weights_found = [](protocol::SchemeKind scheme) {
    Problem problem = small_problem(1, "ring", 3, 12, 3);
    problem.config.settings.scheme = scheme;
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
  EXPECT_GT(weights_found(protocol::SchemeKind::kAsPrinted), 60);  // 3 agents, 2 neighbours, 12 rounds
  EXPECT_EQ(weights_found(protocol::SchemeKind::kHardened), 0);
}

}  // namespace
}  // namespace ppdnmf::scenario
