// A8 and A10.
#include <algorithm>

#include <ppdnmf/audit/a10_first_plane.h>
#include <ppdnmf/audit/a8_fit_sums.h>
#include <ppdnmf/audit/a8_fit_totals.h>
#include <ppdnmf/audit/score.h>
#include <ppdnmf/audit/setups.h>
#include <ppdnmf/nmf/holder.h>
#include <ppdnmf/nmf/penalties.h>

namespace ppdnmf::audit {

Result<Trial> fit_trial(const AuditSetup& setup, const FitOptions& options, std::uint64_t seed) {
  const bool sum = setup.exchange == protocol::ExchangeKind::kSum;
  const AuditProblem problem = problem_of(setup, seed, sum ? 0 : static_cast<std::uint64_t>(options.exchanges));
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  const Matrix truth = run.others(kAttacker);
  Stream stream(Seed::from_number(seed), 'f');
  const ColumnClaim claim =
      sum ? fit_totals(view, truth.cols(), options, stream) : fit_sums(view, columns_of(setup), options, stream);
  return Trial{column_error(truth, claim.columns), guess_error(truth, problem.Z[0])};
}

Result<Trial> bound_trial(const AuditSetup& setup, int exchanges, std::uint64_t seed) {
  const bool sum = setup.exchange == protocol::ExchangeKind::kSum;
  const AuditProblem problem = problem_of(setup, seed, sum ? 0 : static_cast<std::uint64_t>(exchanges));
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  const Matrix truth = run.others(kAttacker);
  const double bound = sum ? bound_of_totals(view, exchanges, truth / run.scale())
                           : bound_of_sums(view, columns_of(setup), exchanges, truth / run.scale());
  return Trial{bound, guess_error(truth, problem.Z[0])};
}

Result<Trial> plane_trial(const AuditSetup& setup, std::uint64_t seed) {
  const AuditProblem problem = problem_of(setup, seed, 1);
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  Matrix Y(setup.rank, 0);
  for (const AgentId j : problem.graph.neighbours(kAttacker)) {
    const auto columns = nmf::dense_holder(run.all_of(j).Z);
    columns->begin(setup.rank, run.scale());
    columns->solve_admm(run.X0(), nmf::automatic_eta(run.X0()), problem.settings.admm_y);
    const Matrix theirs = columns->Y();
    Y.conservativeResize(setup.rank, Y.cols() + theirs.cols());
    Y.rightCols(theirs.cols()) = theirs;
  }
  const Index dimension = std::min<Index>(Y.cols(), setup.rank - 1);
  Stream stream(Seed::from_number(seed), 'p');
  return Trial{outside_of(Y, first_plane(view, dimension, stream)), outside_of(Y, guessed_plane(view, dimension))};
}

}  // namespace ppdnmf::audit
