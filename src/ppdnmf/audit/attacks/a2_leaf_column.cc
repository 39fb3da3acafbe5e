#include <ppdnmf/audit/attacks/a2_leaf_column.h>

#include <Eigen/Cholesky>
#include <limits>

#include <ppdnmf/audit/attacks/a1_common_divisor.h>
#include <ppdnmf/audit/attacks/a2_leaf_moments.h>
#include <ppdnmf/audit/model/least_squares.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/prior.h>
#include <ppdnmf/audit/model/samples.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/experiment/face_data.h>
#include <ppdnmf/nmf/admm_y_step.h>
#include <ppdnmf/nmf/penalties.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::audit {
namespace {

// The leaf's factor over the rounds of the iterations up to `last_iteration`, if its column were z. The factor that was
// seen stands for the leaf's own at every step, so that errors do not add up.
class LeafModel {
 public:
  LeafModel(const AttackerView& view, std::vector<LeafStep> steps, std::uint32_t last_iteration)
      : view_(view), steps_(std::move(steps)) {
    std::erase_if(steps_, [&](const LeafStep& step) { return step.round.iteration > last_iteration; });
  }

  [[nodiscard]] Index size() const { return static_cast<Index>(steps_.size()) * view_.X0.size(); }
  [[nodiscard]] Vector observed() const {
    Vector out(size());
    for (std::size_t m = 0; m < steps_.size(); ++m) put(out, m, steps_[m].U);
    return out;
  }
  [[nodiscard]] Vector simulate(const Vector& z) const {
    const protocol::RunSettings& s = view_.settings;
    nmf::AdmmYStep right(s.rank, data::own(z));
    Matrix U = view_.X0;
    Matrix X = U;
    Matrix P = Matrix::Zero(s.rows, s.rank);
    Matrix inverse;
    nmf::Moments moments;
    double mu = 0;
    Vector out(size());
    for (std::size_t m = 0; m < steps_.size(); ++m) {
      const LeafStep& step = steps_[m];
      if (step.round.admm == 1) {
        if (step.round.iteration > 1 || s.y_first) right.solve(X, s.eta.value_or(nmf::automatic_eta(X)), s.admm_y);
        moments = right.moments();
        const double next =
            s.mu ? *s.mu / (*s.data_scale * *s.data_scale) : nmf::automatic_mu(nmf::left_curvature_of(moments.T));
        if (mu > 0) P *= mu / next;
        mu = next;
      }
      X = (U + P).cwiseMax(0);
      Matrix A = moments.T;
      A.diagonal().array() += mu + step.c;
      put(out, m, A.llt().solve((moments.S + step.given + mu * (X - P)).transpose()).transpose());
      U = step.U;
      P += U - X;
    }
    return out;
  }

 private:
  void put(Vector& out, std::size_t m, const Matrix& U) const {
    out.segment(static_cast<Index>(m) * U.size(), U.size()) = Eigen::Map<const Vector>(U.data(), U.size());
  }
  const AttackerView& view_;
  std::vector<LeafStep> steps_;
};

Matrix differences(const LeafModel& model, const Vector& z, const Vector& at) {
  constexpr double kStep = 1e-6;
  Matrix J(at.size(), z.size());
  Vector moved = z;
  for (Index p = 0; p < z.size(); ++p) {
    moved(p) += kStep;
    J.col(p) = (model.simulate(moved) - at) / kStep;
    moved(p) = z(p);
  }
  return J;
}

}  // namespace

Eigen::VectorXd leaf_column(const AttackerView& view, AgentId leaf, const std::vector<WeightClaim>& claims,
                            std::uint32_t last_iteration) {
  const Matrix own = view.alone().Z / view.scale;
  const LeafModel model(view, replay_leaf(view, leaf, claims), last_iteration);
  const ColumnPrior prior = prior_of(own);
  FitProblem problem;
  problem.model = [&](const Vector& z) { return model.simulate(z); };
  problem.jacobian = [&](const Vector& z, const Vector& at) { return differences(model, z, at); };
  problem.observed = model.observed();
  problem.deviation = Vector::Constant(model.size(), 1.0 / static_cast<double>(view.settings.n_max));
  problem.mean = prior.mean;
  problem.precision = prior.precision;
  problem.least = Vector::Zero(own.rows());

  Vector start = prior.mean;
  if (const auto moments = leaf_moments(view, leaf, claims, last_iteration)) {
    start = (moments->z / view.scale).cwiseMax(0);
    // Where the linear equations already explain all that was seen, fitting hundreds of unknowns takes long for
    // nothing.
    constexpr double kEnough = 2;  // in deviations
    constexpr Index kMany = 100;
    const double misfit = (model.simulate(start) - problem.observed).norm() / problem.deviation.norm();
    if (own.rows() > kMany && misfit < kEnough) return start * view.scale;
  }
  FitResult best{start, std::numeric_limits<double>::infinity(), 0};
  for (const Vector& from : {start, prior.mean}) {
    const FitResult found = fit(problem, from, {1e3, 10, 1}, 20);
    if (found.cost < best.cost) best = found;
  }
  return best.parameters * view.scale;
}

namespace {

// The error of a one-column leaf's column (as printed), or of the same agent's mean column when sums are taken for it.
Result<Trial> leaf_trial(protocol::SchemeKind scheme, bool faces, Index each, std::uint64_t seed) {
  // As printed agent 0 is a leaf beside the attacker; a real run has none.
  const bool printed = scheme == protocol::SchemeKind::kAsPrinted;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges{{0, 1}, {1, 2}, {2, 3}, {1, 3}};
  if (!printed) edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  PPDNMF_TRY(const protocol::Graph graph, protocol::Graph::create(4, edges));
  const std::vector<Index> columns{each, 20, 20, 20};
  const Index total = each + 60;
  const Index rows = faces ? experiment::kFaceShape.height * experiment::kFaceShape.width : 30;
  const Index rank = faces ? 16 : 5;
  AuditProblem problem{graph, {}, {}, seed, 9, {}, false, false, {}};
  problem.settings = printed ? printed_settings(rows, rank, graph) : default_settings(scheme, rows, rank, graph);
  problem.Z = {faces ? experiment::make_face_data(total, seed) : synthetic_columns_of(seed, total), columns};
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(AgentId{1});
  const Matrix truth = run.all_of(AgentId{0}).Z.rowwise().mean();
  const Matrix claim = leaf_column(view, AgentId{0}, common_divisors(view), 3);
  return Trial{relative_error_of(truth, claim), guess_error(truth, problem.Z[1])};
}

}  // namespace

void plan_leaf_columns(Plan& plan) {
  const char* measure = "relative error of its column after three iterations";
  plan.add(
      Plan::row("A2", "as printed", "the only neighbour of an agent with one column", measure, Measure::kError, false),
      plan.seeds(50, 5), [](std::uint64_t seed) { return leaf_trial(kPrinted, false, 1, seed); });
  plan.add(
      Plan::row("A2", "as printed", "the only neighbour of an agent with one face", measure, Measure::kError, false),
      plan.seeds(10, 1), [](std::uint64_t seed) { return leaf_trial(kPrinted, true, 1, seed); });
  plan.add(Plan::row("A2", "hardened", "a neighbour in a ring of 4; 20 columns each",
                     "relative error of a neighbour's mean column", Measure::kError, true),
           plan.seeds(100, 5), [](std::uint64_t seed) { return leaf_trial(kHardened, false, 20, seed); });
}

}  // namespace ppdnmf::audit
