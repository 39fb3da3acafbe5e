#include <ppdnmf/audit/attacks/a9_membership.h>

#include <Eigen/SVD>
#include <algorithm>

#include <ppdnmf/audit/model/likelihood_ratio.h>
#include <ppdnmf/audit/model/network_model.h>
#include <ppdnmf/audit/model/plan_rows.h>
#include <ppdnmf/audit/model/prior.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/audit/model/totals.h>
#include <ppdnmf/nmf/nnls.h>

namespace ppdnmf::audit {
namespace {

struct Ridge {
  const char* name;
  double part;  // of the mean variance
};
constexpr Ridge kRidges[] = {{"fine", 1e-3}, {"middle", 1e-1}, {"flat", 10}};

}  // namespace

std::vector<MembershipScores> membership_from_factor(const AttackerView& view, const Matrix& candidates) {
  const MemberView& self = view.alone();
  const Matrix& X = self.X;
  const Matrix Y = nmf::nonnegative_least_squares(X, candidates);
  const Matrix R = candidates - X * Y;
  const Matrix Y_own = nmf::nonnegative_least_squares(X, self.Z);
  Matrix G = -(self.Z - X * Y_own) * Y_own.transpose();
  G = (X.array() > 0).select(G, 0);  // where X is zero, the gradient need not vanish
  MembershipScores residual{"residual", Vector(candidates.cols())};
  MembershipScores gradient{"gradient", Vector(candidates.cols())};
  for (Index m = 0; m < candidates.cols(); ++m) {
    const double squared = candidates.col(m).squaredNorm();
    residual.scores(m) = -R.col(m).squaredNorm() / squared;
    gradient.scores(m) = R.col(m).dot(G * Y.col(m)) / squared;
  }
  return {residual, gradient};
}

namespace {

// How far a candidate sticks out of the span of all S, with a minus; zeros under a loss whose S has no span of columns.
Vector span_scores(const OthersTotals& totals, Index others_columns, const Matrix& candidates) {
  Vector scores = Vector::Zero(candidates.cols());
  if (totals.loss->kind() != nmf::LossKind::kSquares) return scores;
  const Index rank = totals.requests.front().X.cols();
  Matrix S(candidates.rows(), rank * static_cast<Index>(totals.others.size()));
  for (std::size_t e = 0; e < totals.others.size(); ++e) {
    S.middleCols(static_cast<Index>(e) * rank, rank) = totals.others[e].S;
  }
  const Index span = std::min({others_columns, S.rows(), S.cols()});
  const Matrix basis = Eigen::JacobiSVD<Matrix>(S, Eigen::ComputeThinU).matrixU().leftCols(span);
  for (Index m = 0; m < candidates.cols(); ++m) {
    const Vector z = candidates.col(m);
    scores(m) = -(z - basis * (basis.transpose() * z)).norm() / z.norm();
  }
  return scores;
}

}  // namespace

std::vector<MembershipScores> membership_from_totals(const AttackerView& view, Index others_columns,
                                                     const Matrix& candidates, const Matrix& reference, int rounds) {
  const Index rank = view.settings.rank;
  const OthersTotals totals = others_totals(view, rounds);
  std::vector<MembershipScores> out{{"span", span_scores(totals, others_columns, candidates)}};
  const auto share = [&](const Matrix& columns, Index m) {
    return moments_of(totals.requests, columns.col(m) / view.scale, rank, totals.loss);
  };
  const Vector sum = moments_of(totals);
  Matrix samples(sum.size(), reference.cols());
  for (Index m = 0; m < reference.cols(); ++m) samples.col(m) = share(reference, m);
  for (const Ridge& ridge : kRidges) {
    const LikelihoodRatio ratio(samples, ridge.part);
    const Vector difference = sum - static_cast<double>(others_columns) * ratio.mean();
    MembershipScores& scores = out.emplace_back(MembershipScores{std::string("ratio, ") + ridge.name, {}});
    scores.scores.resize(candidates.cols());
    for (Index m = 0; m < candidates.cols(); ++m) {
      scores.scores(m) = ratio.score(share(candidates, m) - ratio.mean(), difference);
    }
  }
  return out;
}

std::vector<MembershipScores> membership_from_sums(const AttackerView& view, const std::vector<Index>& columns,
                                                   const Matrix& candidates, const Matrix& reference, int rounds,
                                                   Stream& stream) {
  constexpr int kShadows = 150;
  constexpr int kBases = 4;
  const NetworkModel model(view, columns, rounds);
  const Index rows = view.settings.rows;
  const auto draw = [&] {
    Vector p = Vector::Zero(model.parameters());
    for (Index at = 0; at < model.column_parameters(); at += rows) {
      const auto which = static_cast<Index>(stream.below(static_cast<std::uint64_t>(reference.cols())));
      p.segment(at, rows) = reference.col(which) / view.scale;
    }
    return p;
  };
  const Vector seen = model.observed();
  Matrix shadows(seen.size(), kShadows);
  for (int k = 0; k < kShadows; ++k) shadows.col(k) = model.simulate(draw());
  // Where a neighbour's columns stand among the parameters.
  std::vector<Index> places;
  Index at = 0;
  for (const AgentId agent : model.others()) {
    const std::vector<AgentId>& neighbours = view.graph.neighbours(view.self());
    if (std::binary_search(neighbours.begin(), neighbours.end(), agent)) places.push_back(at);
    at += columns[agent.value] * rows;
  }
  Matrix effects = Matrix::Zero(seen.size(), candidates.cols());
  for (int b = 0; b < kBases; ++b) {
    Vector base = draw();
    const Vector without = model.simulate(base);
    const Index place = places[static_cast<std::size_t>(b) % places.size()];
    for (Index m = 0; m < candidates.cols(); ++m) {
      base.segment(place, rows) = candidates.col(m) / view.scale;
      effects.col(m) += (model.simulate(base) - without) / kBases;
    }
  }
  const Vector shared = effects.rowwise().mean();  // what all candidates have in common says nothing
  std::vector<MembershipScores> out;
  for (const Ridge& ridge : kRidges) {
    const LikelihoodRatio ratio(shadows, ridge.part);
    MembershipScores& scores = out.emplace_back(MembershipScores{std::string("shadows, ") + ridge.name, {}});
    scores.scores.resize(candidates.cols());
    for (Index m = 0; m < candidates.cols(); ++m) {
      scores.scores(m) = ratio.score(effects.col(m) - shared, seen - ratio.mean());
    }
  }
  return out;
}

namespace {

enum class Knowledge : std::uint8_t { kFactor, kTranscript };

// AUC of one way to score, over candidates among the neighbours' columns.
Result<Trial> membership_trial(const AuditSetup& setup, Knowledge knowledge, int score, std::uint64_t seed) {
  constexpr Index kReference = 200;
  const Index others = setup.each * (setup.agents - 1);
  const MembershipCandidates those = candidates_of(setup, seed, kReference);
  const Matrix& candidates = those.columns;
  const Matrix& reference = those.reference;
  const bool factor = knowledge == Knowledge::kFactor;
  const bool sum = setup.scheme == protocol::SchemeKind::kSum;
  constexpr int kSumsSeen = 3;
  constexpr int kTotalsSeen = 10;
  constexpr int kStartsSeen = 30;  // rounds of more than one start
  PPDNMF_TRY(const Recording run, record(problem_of(setup, seed, factor || sum ? 0 : kSumsSeen)));
  const AttackerView view = run.view(kAttacker);
  Stream stream(Seed::from_number(seed), 'm');
  const std::vector<MembershipScores> scores =
      factor ? membership_from_factor(view, candidates)
      : sum  ? membership_from_totals(view, others, candidates, reference, setup.starts > 1 ? kStartsSeen : kTotalsSeen)
             : membership_from_sums(view, columns_of(setup), candidates, reference, kSumsSeen, stream);
  return Trial{those.area(scores.at(static_cast<std::size_t>(score)).scores), 0.5};
}

}  // namespace

void plan_membership(Plan& plan) {
  for (const Index each : {5, 20, 50}) {
    for (const std::uint32_t agents : {3U, 10U}) {
      if (agents == 10 && each != 20) continue;
      const Index others = each * (agents - 1);
      AuditSetup s{kSum, "ring", agents, 20, each, 30, 5, false, false};
      const auto add = [&](protocol::SchemeKind scheme, Knowledge knowledge, int score, const char* measure,
                           const char* curve, int full, int quick) {
        s.scheme = scheme;
        AuditRow row = Plan::row("A9", s, measure, Measure::kAuc);
        row.columns = static_cast<double>(others);
        row.curve = agents == 3 ? curve : "";
        if (knowledge == Knowledge::kFactor) row.scheme = "any: X alone";
        plan.add(row, plan.seeds(full, quick),
                 [s, knowledge, score](std::uint64_t seed) { return membership_trial(s, knowledge, score, seed); });
      };
      add(kSum, Knowledge::kFactor, 1, "AUC, gradient at the final X", "AUC, X alone", 100, 10);
      // Where fewer columns than rows stand behind the totals, the span tells; else the likelihood.
      add(kSum, Knowledge::kTranscript, others < s.rows ? 0 : 1, "AUC, totals", "AUC, sum", 40, 3);
      add(kHardened, Knowledge::kTranscript, 1, "AUC, simulated neighbourhoods", "AUC, hardened", 40, 5);
    }
  }
}

void plan_poisson_membership(Plan& plan) {
  const auto add = [&](nmf::Curvature curvature, int starts, Index each, int full, int quick) {
    const AuditSetup s{kSum, "ring", 3, 20, each, 20, 4, true, false, 0, 1, curvature, starts};
    AuditRow row = Plan::row("A9", s, "AUC, totals", Measure::kAuc);
    plan.add(row, plan.seeds(full, quick),
             [s](std::uint64_t seed) { return membership_trial(s, Knowledge::kTranscript, 1, seed); });
  };
  // The same counts under squares, to compare with.
  for (const Index each : {20, 50}) {
    const AuditSetup squares{kSum, "ring", 3, 20, each, 20, 4, true, false};
    AuditRow row = Plan::row("A9", squares, "AUC, totals, counts", Measure::kAuc);
    plan.add(row, plan.seeds(40, 0),
             [squares](std::uint64_t seed) { return membership_trial(squares, Knowledge::kTranscript, 1, seed); });
    add(nmf::Curvature::kFull, 1, each, 40, 0);
    add(nmf::Curvature::kScaled, 1, each, 40, each == 20 ? 2 : 0);
  }
  add(nmf::Curvature::kScaled, 3, 20, 40, 0);
}

}  // namespace ppdnmf::audit
