#include <ppdnmf/audit/attacks/a10_first_plane.h>

#include <Eigen/SVD>
#include <algorithm>
#include <vector>

#include <ppdnmf/audit/model/honest_sum.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/nmf/admm_y_step.h>
#include <ppdnmf/nmf/nnls.h>
#include <ppdnmf/nmf/penalties.h>

namespace ppdnmf::audit {
namespace {

// The `dimension` directions in which the rows of D are largest; D may have fewer rows.
Matrix main_directions(const Matrix& D, Index dimension) {
  return Eigen::JacobiSVD<Matrix>(D, Eigen::ComputeFullV).matrixV().leftCols(dimension);
}

// How far each row sticks out of the plane.
Eigen::VectorXd distances(const Matrix& D, const Matrix& plane) {
  return (D - D * plane * plane.transpose()).rowwise().norm();
}

}  // namespace

Matrix first_plane(const AttackerView& view, Index dimension, Stream& stream) {
  const protocol::RunSettings& s = view.settings;
  const protocol::Round first{1, 1};
  // What the neighbours moved from the start, as far as it is public.
  const HonestSum sum = honest_sum(view, view.self(), first);
  const Matrix start = sum.weights * static_cast<double>(s.n_max) * view.X0;
  const Matrix D = Eigen::Map<const Matrix>(sum.weighted.data(), s.rows, s.rank) - start;
  Matrix best = main_directions(D, dimension);
  double best_distance = 0;
  constexpr int kTrials = 1000;
  for (int trial = 0; trial < kTrials; ++trial) {
    Matrix chosen(dimension, s.rank);
    for (Index d = 0; d < dimension; ++d) {
      chosen.row(d) = D.row(static_cast<Index>(stream.below(static_cast<std::uint64_t>(s.rows))));
    }
    const Matrix plane = main_directions(chosen, dimension);
    Eigen::VectorXd far = distances(D, plane);
    std::sort(far.begin(), far.end());
    // So many rows in one plane are no accident.
    const double distance = far(std::min(far.size() - 1, 5 * dimension));
    if (trial > 0 && distance >= best_distance) continue;
    best_distance = distance;
    best = plane;
  }
  // Once more through the rows that lie in it.
  const Eigen::VectorXd far = distances(D, best);
  std::vector<Index> near;
  for (Index row = 0; row < s.rows; ++row) {
    if (far(row) <= 3 * best_distance) near.push_back(row);
  }
  Matrix kept(static_cast<Index>(near.size()), s.rank);
  for (std::size_t k = 0; k < near.size(); ++k) kept.row(static_cast<Index>(k)) = D.row(near[k]);
  return main_directions(kept, dimension);
}

Matrix guessed_plane(const AttackerView& view, Index dimension) {
  const Matrix Y = nmf::nonnegative_least_squares(view.X0, view.alone().Z / view.scale);
  return main_directions(Y.transpose(), dimension);
}

namespace {

// How far the neighbours' coordinates stick out of the plane that the first round shows.
Result<Trial> plane_trial(const AuditSetup& setup, std::uint64_t seed) {
  const AuditProblem problem = problem_of(setup, seed, 1);
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(kAttacker);
  Matrix Y(setup.rank, 0);
  for (const AgentId j : problem.graph.neighbours(kAttacker)) {
    nmf::AdmmYStep right(setup.rank, data::view(run.all_of(j).Z), run.scale());
    right.solve(run.X0(), nmf::automatic_eta(run.X0()), problem.settings.admm_y);
    const Matrix theirs = right.coordinates();
    Y.conservativeResize(setup.rank, Y.cols() + theirs.cols());
    Y.rightCols(theirs.cols()) = theirs;
  }
  const Index dimension = std::min<Index>(Y.cols(), setup.rank - 1);
  Stream stream(Seed::from_number(seed), 'p');
  return Trial{outside_of(Y, first_plane(view, dimension, stream)), outside_of(Y, guessed_plane(view, dimension))};
}

}  // namespace

void plan_first_planes(Plan& plan) {
  const char* measure = "part of the neighbours' y outside the plane found";
  for (const bool bare : {true, false}) {
    for (const Index each : {1, 20}) {
      const AuditSetup s{kHardened, "ring", 21, each, each, 96, 4, true, bare};
      plan.add(Plan::row("A10", s, measure, Measure::kError), plan.seeds(bare || each == 1 ? 20 : 100, 2),
               [s](std::uint64_t seed) { return plane_trial(s, seed); });
    }
  }
}

}  // namespace ppdnmf::audit
