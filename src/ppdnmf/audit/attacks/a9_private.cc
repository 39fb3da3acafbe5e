#include <ppdnmf/audit/attacks/a9_private.h>

#include <fmt/format.h>

#include <ppdnmf/audit/model/likelihood_ratio.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/private_totals.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>

namespace ppdnmf::audit {

Vector membership_from_noisy_totals(const AttackerView& view, Index others_columns, const Matrix& candidates,
                                    const Matrix& reference) {
  constexpr double kRidge = 1e-3;  // the finest that other A9 rows use: reference columns do not span everything
  const PrivateTotals totals = private_totals(view);
  const auto part = [&](const Matrix& columns, Index m) {
    return bounded_parts(view, totals.requests, columns.col(m));
  };
  Matrix samples(totals.others.size(), reference.cols());
  for (Index m = 0; m < reference.cols(); ++m) samples.col(m) = part(reference, m);
  const auto terms = static_cast<double>(others_columns);
  // The noise is one for all terms of the sum: of each term's variance it is as many times smaller.
  const LikelihoodRatio ratio(samples, kRidge, totals.deviation * totals.deviation / terms);
  const Vector difference = totals.others - terms * ratio.mean();
  Vector scores(candidates.cols());
  for (Index m = 0; m < candidates.cols(); ++m) {
    scores(m) = ratio.score(part(candidates, m) - ratio.mean(), difference);
  }
  return scores;
}

double membership_knowing_all(const AttackerView& view, const Matrix& known, const Matrix& candidate) {
  const PrivateTotals totals = private_totals(view);
  const Vector left = totals.others - bounded_parts(view, totals.requests, known);
  const Vector way = bounded_parts(view, totals.requests, candidate);
  // Noise of many units is Gaussian to all digits. X depends on the totals alone, so rounds multiply.
  return (left.dot(way) - way.squaredNorm() / 2) / (totals.deviation * totals.deviation);
}

Result<Trial> noisy_membership_trial(const AuditSetup& setup, std::uint64_t seed) {
  constexpr Index kReference = 200;
  const MembershipCandidates candidates = candidates_of(setup, seed, kReference);
  PPDNMF_TRY(const Recording run, record(problem_of(setup, seed)));
  const Index others = setup.each * (setup.agents - 1);
  const Vector scores =
      membership_from_noisy_totals(run.view(kAttacker), others, candidates.columns, candidates.reference);
  return Trial{candidates.area(scores), 0.5};
}

AgentColumns with_column(const AgentColumns& Z, const Matrix& column) {
  const Index before = Z.counts[0] + Z.counts[1];
  AgentColumns out{Matrix(Z.all.rows(), Z.all.cols() + 1), Z.counts};
  out.all << Z.all.leftCols(before), column, Z.all.rightCols(Z.all.cols() - before);
  ++out.counts[1];
  return out;
}

Result<Trial> with_and_without(AuditProblem problem, const Matrix& candidate, int runs, std::uint64_t seed,
                               const PresenceScore& score) {
  const AgentColumns without = problem.Z;
  const AgentColumns with = with_column(without, candidate);
  std::vector<double> present;
  std::vector<double> absent;
  constexpr std::uint64_t kApart = 1'000'000;  // every run has noise and a start of its own
  for (int n = 0; n < 2 * runs; ++n) {
    const bool there = n % 2 == 1;
    problem.seed = kApart * seed + static_cast<std::uint64_t>(n);
    problem.Z = there ? with : without;
    PPDNMF_TRY(const Recording run, record(problem));
    (there ? present : absent).push_back(score(run, there));
  }
  return Trial{area_under_curve(present, absent), 0.5};
}

Result<Trial> knowing_all_trial(const AuditSetup& setup, bool typical, int runs, std::uint64_t seed) {
  const Matrix population = population_of(setup, seed, 1);
  const Matrix known = population.middleCols(setup.own, population.cols() - setup.own - 1);
  const Matrix mean = shapes_of(known).rowwise().mean();
  const Matrix candidate = typical ? Matrix(population.rightCols(1)) : mean;
  return with_and_without(problem_of(setup, seed), candidate, runs, seed, [&](const Recording& run, bool /*there*/) {
    return membership_knowing_all(run.view(kAttacker), known, candidate);
  });
}

namespace {

constexpr double kLargest = 8;  // of the epsilons: where the noise is switched off, any would do
constexpr double kOff = 0;

// The fewest columns that a real run accepts with as many rows as the other A9 rows have.
AuditSetup fewest(double epsilon, double noise) {
  return {kSum, "ring", 3, 30, 30, 30, 5, false, false, epsilon, noise};
}
// The fewest of all, and a rank for which one column's part is as long as the bound allows.
AuditSetup worst(double epsilon, double noise) { return {kSum, "ring", 3, 20, 20, 8, 1, false, false, epsilon, noise}; }

void add_curious(Plan& plan, double epsilon, double noise) {
  const AuditSetup s = fewest(epsilon, noise);
  AuditRow row = Plan::row("A9", s, "AUC, noisy totals", Measure::kAuc);
  row.curve = noise > 0 ? "one curious agent" : "one curious agent, noise off";
  plan.add(row, plan.seeds(40, 10), [s](std::uint64_t seed) { return noisy_membership_trial(s, seed); });
}

void add_knowing(Plan& plan, const AuditSetup& s, bool typical) {
  constexpr int kRuns = 10;
  const bool off = s.noise == 0;
  AuditRow row = Plan::row("A9", s,
                           typical ? "AUC, exact likelihood ratio, a column like others"
                                   : "AUC, exact likelihood ratio, the column worst off",
                           off ? Measure::kAuc : Measure::kPromise);
  row.position = fmt::format("knows all columns but one and its own noise; 3 agents with {} columns", s.each);
  row.curve = off ? "" : typical ? "knows all but one column" : "knows all but the column worst off";
  plan.add(row, off ? plan.seeds(10, 2) : plan.seeds(typical ? 40 : 100, 10),
           [=](std::uint64_t seed) { return knowing_all_trial(s, typical, kRuns, seed); });
}

}  // namespace

void plan_private_membership(Plan& plan) {
  add_curious(plan, kLargest, kOff);
  for (const double epsilon : {1.0, 4.0, kLargest}) add_curious(plan, epsilon, 1);
  add_knowing(plan, fewest(kLargest, kOff), true);
  for (const double epsilon : {1.0, 4.0, kLargest}) add_knowing(plan, fewest(epsilon, 1), true);
  for (const double epsilon : {1.0, 4.0, kLargest}) add_knowing(plan, worst(epsilon, 1), false);
}

}  // namespace ppdnmf::audit
