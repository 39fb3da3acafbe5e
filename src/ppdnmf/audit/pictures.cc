#include <ppdnmf/audit/pictures.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <ppdnmf/audit/attacks/a1_common_divisor.h>
#include <ppdnmf/audit/attacks/a2_leaf_column.h>
#include <ppdnmf/audit/attacks/a8_fit_sums.h>
#include <ppdnmf/audit/attacks/a8_fit_totals.h>
#include <ppdnmf/audit/model/prior.h>
#include <ppdnmf/audit/model/score.h>
#include <ppdnmf/audit/model/setups.h>
#include <ppdnmf/experiment/face_data.h>
#include <ppdnmf/sim/topology.h>

namespace ppdnmf::audit {
namespace {

constexpr Index kRank = 3;
constexpr Index kOwn = 30;  // faces of the attacker's own

// The made faces at half the size: a fit has as many unknowns as there are pixels.
constexpr io::ImageShape kSmall{9, 9};
Matrix small_faces(Index count, std::uint64_t seed) {
  const Matrix large = experiment::make_face_data(count, seed);
  Matrix out(kSmall.height * kSmall.width, count);
  for (Index c = 0; c < kSmall.width; ++c) {
    for (Index r = 0; r < kSmall.height; ++r) {
      const auto pixel = [&](Index dr, Index dc) { return (2 * c + dc) * experiment::kFaceShape.height + 2 * r + dr; };
      out.row(c * kSmall.height + r) =
          (large.row(pixel(0, 0)) + large.row(pixel(1, 0)) + large.row(pixel(0, 1)) + large.row(pixel(1, 1))) / 4;
    }
  }
  return out;
}

// Of several claimed columns the one nearest to the face: the attacker does not know which it is, we are generous.
FacePicture nearest(std::string label, io::ImageShape shape, const Eigen::VectorXd& face, const Matrix& claims) {
  FacePicture out{std::move(label), shape, {}, std::numeric_limits<double>::infinity()};
  for (Index m = 0; m < claims.cols(); ++m) {
    const double error = (claims.col(m) - face).norm() / face.norm();
    if (error >= out.error) continue;
    out.error = error;
    out.pixels = claims.col(m);
  }
  return out;
}

Result<Recording> run_of(protocol::SchemeKind scheme, const protocol::Graph& graph, const Matrix& faces, Index each,
                         std::uint64_t seed, std::uint64_t rounds, bool bare = false) {
  AuditProblem problem{graph, {}, default_settings(scheme, faces.rows(), kRank, graph), seed, rounds, {}, false,
                       false, {}};
  if (bare) remove_countermeasures(problem.settings, graph);
  std::vector<Index> columns(graph.agents(), each);
  columns[0] = kOwn;
  problem.Z = {faces.leftCols(kOwn + each * (graph.agents() - 1)), columns};
  return record(problem);
}

Result<FacePicture> as_printed(std::uint64_t seed) {
  PPDNMF_TRY(const protocol::Graph graph, protocol::Graph::create(4, {{0, 1}, {1, 2}, {2, 3}, {1, 3}}));
  const Matrix faces = experiment::make_face_data(61, seed);
  AuditProblem problem{graph, {}, printed_settings(faces.rows(), 16, graph), seed, 9, {}, false, false, {}};
  problem.Z = {faces, {1, 20, 20, 20}};
  PPDNMF_TRY(const Recording run, record(problem));
  const AttackerView view = run.view(AgentId{1});
  return nearest("as printed: one image, its only neighbour (A2)", experiment::kFaceShape, faces.col(0),
                 leaf_column(view, AgentId{0}, common_divisors(view), 3));
}

}  // namespace

Result<std::vector<FacePicture>> face_pictures(std::uint64_t seed, bool quick) {
  std::vector<FacePicture> out;
  const Matrix large = experiment::make_face_data(61, seed);
  out.push_back({"a private image, full size", experiment::kFaceShape, large.col(0), 0});
  PPDNMF_TRY(FacePicture printed, as_printed(seed));
  out.push_back(std::move(printed));

  constexpr Index kMany = 50;
  const Matrix faces = small_faces(kOwn + 2 * kMany, seed);
  const Eigen::VectorXd face = faces.col(kOwn);  // the first of agent 1
  const Matrix own = faces.leftCols(kOwn);
  out.push_back({"a private image, half size", kSmall, face, 0});
  out.push_back(nearest("best guess without a transcript", kSmall, face, guessed_columns(own, 1)));
  PPDNMF_TRY(const protocol::Graph ring, sim::make_topology("ring", 3, Seed::from_number(seed)));
  Stream stream(Seed::from_number(seed), 'F');
  const FitOptions totals{20, 20, 30};
  for (const bool bare : {true, false}) {
    if (quick && !bare) continue;
    PPDNMF_TRY(const Recording run, run_of(protocol::SchemeKind::kHardened, ring, faces, 1, seed, 9, bare));
    const ColumnClaim claim = fit_sums(run.view(kAttacker), {kOwn, 1, 1}, {9, bare ? 4 : 1, 15}, stream);
    out.push_back(nearest(bare ? "hardened, bare: one image each (A8)" : "hardened: one image each (A8)", kSmall, face,
                          claim.columns));
  }
  {
    PPDNMF_TRY(const Recording run, run_of(protocol::SchemeKind::kSum, ring, faces, 1, seed, 0));
    const ColumnClaim claim = fit_totals(run.view(kAttacker), 2, totals, stream);
    out.push_back(nearest("sum: one image each (A8)", kSmall, face, claim.columns));
  }
  // With many columns a fit of all of them takes too long here; of five images that would explain what was seen, the
  // nearest is shown.
  constexpr Index kPretended = 5;
  {
    PPDNMF_TRY(const Recording run, run_of(protocol::SchemeKind::kSum, ring, faces, kMany, seed, 0));
    const ColumnClaim claim = fit_totals(run.view(kAttacker), kPretended, {20, 4, 15}, stream);
    // Each stands for as many images as there are more.
    const double shrink = std::sqrt(static_cast<double>(kPretended) / (2.0 * kMany));
    out.push_back(nearest("sum: fifty images each", kSmall, face, claim.columns * shrink));
  }
  return out;
}

}  // namespace ppdnmf::audit
