// A9.
#include <ppdnmf/audit/attacks/a9_membership.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {

Result<Trial> membership_trial(const AuditSetup& setup, Knowledge knowledge, int score, std::uint64_t seed) {
  constexpr Index kReference = 200;
  const Index others = setup.each * (setup.agents - 1);
  const MembershipCandidates those = candidates_of(setup, seed, kReference);
  const Matrix& candidates = those.columns;
  const Matrix& reference = those.reference;
  const bool factor = knowledge == Knowledge::kFactor;
  const bool sum = setup.exchange == protocol::ExchangeKind::kSum;
  constexpr int kSumsSeen = 3;
  constexpr int kTotalsSeen = 10;
  PPDNMF_TRY(const Recording run, record(problem_of(setup, seed, factor || sum ? 0 : kSumsSeen)));
  const AttackerView view = run.view(kAttacker);
  Stream stream(Seed::from_number(seed), 'm');
  const std::vector<MembershipScores> scores =
      factor ? membership_from_factor(view, candidates)
      : sum  ? membership_from_totals(view, others, candidates, reference, kTotalsSeen)
             : membership_from_sums(view, columns_of(setup), candidates, reference, kSumsSeen, stream);
  return Trial{those.area(scores.at(static_cast<std::size_t>(score)).scores), 0.5};
}

}  // namespace ppdnmf::audit
