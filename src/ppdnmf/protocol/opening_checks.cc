#include <ppdnmf/protocol/opening_checks.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace ppdnmf::protocol {
namespace {

constexpr double kDeviations = 6;

tl::unexpected<Error> refused(const char* what, const char* or_else = "") {
  return error(ErrorCode::kPeer,
               "the second moments that were opened {}: somebody sent what is not so{}, and nothing is made of them",
               what, or_else);
}

// So that one in a million openings at most has such an entry.
double deviations_of(double entries) {
  constexpr double kOnceIn = 1e6;
  return std::max(kDeviations, std::sqrt(2 * std::log(kOnceIn * entries)));
}

}  // namespace

Status check_opening(const Matrix& G, const OpeningFacts& facts) {
  PPDNMF_CHECK(G.rows() == G.cols() && facts.noise > 0 && facts.columns > 0);
  if (!G.allFinite()) return refused("hold a number that is not finite");
  const auto rows = static_cast<double>(G.rows());
  const double room = kDeviations * facts.noise * std::sqrt(rows);
  const double trace = G.trace();
  if (!(trace >= -room && trace <= facts.columns * kColumnsAbout + room))
    return refused("have a trace that is far from the agreed number of columns",
                   ", or `columns` is stated far too low");
  const double limit = -deviations_of(rows * (rows + 1) / 2) * facts.noise;
  bool below = false;
  for (Index k = 0; k < G.cols(); ++k) {
    below = below || G(k, k) < limit;
    for (Index j = 0; j < k; ++j) below = below || G(j, k) < limit / std::numbers::sqrt2;
  }
  if (below) return refused("have an entry that is far below zero");
  const double shift = facts.noise * (std::sqrt(2 * rows) + kDeviations);
  const Eigen::LLT<Matrix> cholesky(G + shift * Matrix::Identity(G.rows(), G.cols()));
  if (cholesky.info() != Eigen::Success) return refused("have an eigenvalue that is far below zero");
  return {};
}

}  // namespace ppdnmf::protocol
