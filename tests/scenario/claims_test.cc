// What the paper claims, one test each (docs/mathematics.md, section 2); what is wrong in its print is in
// errata_test.cc.
#include "tests/scenario/paper_problem.h"
#include <ppdnmf/nmf/measures.h>

namespace ppdnmf::scenario {
namespace {

// Claim: PPDNMF converges to what a central hub with all the data would find. True of the corrected updates only;
// printed, the agents end with factors of their own (errata 1 and 2).
TEST(Claims, AgentsAgreeWithTheCorrectedUpdatesAndNotAsPrinted) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Problem corrected_problem = paper_problem(seed, nmf::Updates::kCorrected);
    const double corrected = run(corrected_problem).history().back().disagreement;
    const double printed = run(paper_problem(seed, nmf::Updates::kAsPrinted)).history().back().disagreement;
    EXPECT_LT(corrected, 0.03) << "seed " << seed;
    EXPECT_GT(printed, 0.3) << "seed " << seed;
    EXPECT_GT(printed, 20 * corrected) << "seed " << seed;
  }
}

// Claim: the NMSE of PPDNMF closely approximates the centralised one. Erratum 5: the paper's NMSE is the mean of local
// fits. It lies *below* the centralised error because agents disagree, while their X on everybody's data is worse.
TEST(Claims, TheNmseOfThePrintedUpdatesFlattersThem) {
  const Problem problem = paper_problem(1, nmf::Updates::kAsPrinted);
  const Matrix Z = all_columns(problem);
  const double centralised = centralised_error(Z, 5, 100, 30, 0.1, 1.0);
  const sim::Simulation printed = run(problem);
  EXPECT_LT(printed.history().back().nmse, centralised);
  EXPECT_GT(worst_error(printed, Z), 1.1 * centralised);
  const sim::Simulation corrected = run(paper_problem(1, nmf::Updates::kCorrected));
  EXPECT_LT(worst_error(corrected, Z), 1.03 * centralised);
}

// Claim: a higher N_max leads to a lower steady-state error.
TEST(Claims, ACoarserResolutionIsMeasurablyWorse) {
  const Problem fine = paper_problem(1, nmf::Updates::kCorrected);
  Problem coarse = fine;
  coarse.config.settings.n_max = 4;
  protocol::complete(coarse.config.settings, coarse.graph);
  set_cipher(coarse);
  const sim::Simulation with_million = run(fine);
  const sim::Simulation with_four = run(coarse);
  const Matrix Z = all_columns(fine);
  EXPECT_GT(with_four.history().back().disagreement, 3 * with_million.history().back().disagreement);
  EXPECT_GT(worst_error(with_four, Z), 1.002 * worst_error(with_million, Z));
}

}  // namespace
}  // namespace ppdnmf::scenario
