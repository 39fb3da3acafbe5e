// A8 and A9 on private runs.
#include <algorithm>

#include <ppdnmf/audit/attacks/a8_fit_totals.h>
#include <ppdnmf/audit/attacks/a9_private.h>
#include <ppdnmf/audit/model/private_totals.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {
namespace {

Matrix with_column(const Matrix& Z, const Matrix& column) {
  Matrix out(Z.rows(), Z.cols() + 1);
  out << Z, column;
  return out;
}

}  // namespace

Result<Trial> noisy_membership_trial(const AuditSetup& setup, std::uint64_t seed) {
  constexpr Index kReference = 200;
  const MembershipCandidates candidates = candidates_of(setup, seed, kReference);
  PPDNMF_TRY(const Recording run, record(problem_of(setup, seed)));
  const Index others = setup.each * (setup.agents - 1);
  const Vector scores =
      membership_from_noisy_totals(run.view(kAttacker), others, candidates.columns, candidates.reference);
  return Trial{candidates.area(scores), 0.5};
}

Result<Trial> knowing_all_trial(const AuditSetup& setup, bool typical, int runs, std::uint64_t seed) {
  AuditProblem problem = problem_of(setup, seed);
  const Matrix population = population_of(setup, seed, 1);
  const Matrix known = population.middleCols(setup.own, population.cols() - setup.own - 1);
  const Matrix mean = shapes_of(known).rowwise().mean();
  const Matrix candidate = typical ? Matrix(population.rightCols(1)) : mean;
  const Matrix without = problem.Z[1];
  std::vector<double> present;
  std::vector<double> absent;
  constexpr std::uint64_t kApart = 1'000'000;  // every run has noise and a start of its own
  for (int n = 0; n < 2 * runs; ++n) {
    const bool there = n % 2 == 1;
    problem.seed = kApart * seed + static_cast<std::uint64_t>(n);
    problem.Z[1] = there ? with_column(without, candidate) : without;
    PPDNMF_TRY(const Recording run, record(problem));
    (there ? present : absent).push_back(membership_knowing_all(run.view(kAttacker), known, candidate));
  }
  return Trial{area_under_curve(present, absent), 0.5};
}

Result<Trial> noisy_fit_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed) {
  const AuditProblem problem = problem_of(setup, seed);
  PPDNMF_TRY(const Recording run, record(problem));
  const Matrix truth = shapes_of(run.others(kAttacker));
  Stream stream(Seed::from_number(seed), 'f');
  const ColumnClaim claim = fit_noisy_totals(run.view(kAttacker), truth.cols(), options, stream);
  return Trial{column_error(truth, claim.columns), guess_error(truth, shapes_of(problem.Z[0]))};
}

}  // namespace ppdnmf::audit
