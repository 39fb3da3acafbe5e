// A9.
#include <algorithm>

#include "audit/a9_membership.h"
#include "audit/score.h"
#include "audit/setups.h"

namespace ppdnmf {

Result<Trial> membership_trial(const AuditSetup& setup, Knowledge knowledge, int score, std::uint64_t seed) {
  constexpr Index kCandidates = 10;
  constexpr Index kReference = 200;
  const Index others = setup.each * (setup.agents - 1);
  const Index members = std::min(kCandidates, 2 * setup.each);
  const Matrix population = population_of(setup, seed, kCandidates + kReference);
  // Members are columns of the neighbours in the ring, agents 1 and N - 1.
  Matrix candidates(setup.rows, members + kCandidates);
  for (Index m = 0; m < members; ++m) {
    candidates.col(m) = population.col(setup.own + (m % 2 == 0 ? m / 2 : others - 1 - m / 2));
  }
  candidates.rightCols(kCandidates) = population.middleCols(setup.own + others, kCandidates);
  const Matrix reference = population.rightCols(kReference);
  const bool factor = knowledge == Knowledge::kFactor;
  const bool sum = setup.exchange == ExchangeKind::kSum;
  constexpr int kSumsSeen = 3;
  constexpr int kTotalsSeen = 10;
  PPDNMF_TRY(const Recording run, record(problem_of(setup, seed, factor || sum ? 0 : kSumsSeen)));
  const AttackerView view = run.view(kAttacker);
  Stream stream(Seed::from_number(seed), 'm');
  const std::vector<MembershipScores> scores =
      factor ? membership_from_factor(view, candidates)
      : sum  ? membership_from_totals(view, others, candidates, reference, kTotalsSeen)
             : membership_from_sums(view, columns_of(setup), candidates, reference, kSumsSeen, stream);
  const Vector& chosen = scores.at(static_cast<std::size_t>(score)).scores;
  const std::span all(chosen.data(), static_cast<std::size_t>(chosen.size()));
  const auto split = static_cast<std::size_t>(members);
  return Trial{area_under_curve(all.first(split), all.subspan(split)), 0.5};
}

}  // namespace ppdnmf
