#include <ppdnmf/nmf/moments_rank.h>

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/nmf/matching.h>
#include <ppdnmf/nmf/products.h>
#include <ppdnmf/nmf/resample.h>

namespace ppdnmf::nmf {
namespace {

constexpr std::uint8_t kNoiseAgain = 'M';
constexpr int kCompletions = 30;     // of the diagonal, for every rank
constexpr double kSettled = 0.02;    // of the noise: the diagonal then moves no more
constexpr double kByChance = 0.5;    // times rows^(-2/3): how far above its edge noise goes, in one of twenty cases
constexpr double kFoundAgain = 0.9;  // as where data are resampled (rank_choice.cc)

// G with the diagonal of its own `rank` largest components, and the eigenvalues of that, rising.
class Completed {
 public:
  Completed(const Matrix& G, double noise) : G_(G), H_(G), noise_(noise) {}

  void complete(Index rank) {
    for (int n = 0; n < kCompletions; ++n) {
      const Eigen::SelfAdjointEigenSolver<Matrix> solver(H_);
      const Matrix top = solver.eigenvectors().rightCols(rank);
      const Eigen::VectorXd weights = solver.eigenvalues().tail(rank).cwiseMax(0);
      // An entry of the diagonal is a sum of squares, and has at most what was opened there.
      const Eigen::VectorXd diagonal = (top.cwiseAbs2() * weights).cwiseMin(G_.diagonal()).cwiseMax(0);
      const double moved = (diagonal - H_.diagonal()).cwiseAbs().maxCoeff();
      H_.diagonal() = diagonal;
      if (moved <= kSettled * noise_) break;
    }
    values_ = Eigen::SelfAdjointEigenSolver<Matrix>(H_, Eigen::EigenvaluesOnly).eigenvalues();
  }
  // The eigenvalue of this number, from the largest on; 0 if there are fewer.
  [[nodiscard]] double value(Index number) const {
    return number < values_.size() ? values_(values_.size() - 1 - number) : 0;
  }
  [[nodiscard]] double most_negative() const { return std::max(0.0, -values_(0)); }

 private:
  const Matrix& G_;
  Matrix H_;
  double noise_;
  Eigen::VectorXd values_;
};

Matrix symmetric_of_upper(const Matrix& G) {
  Matrix H = G.triangularView<Eigen::Upper>();
  H.triangularView<Eigen::StrictlyLower>() = H.transpose();
  return H;
}

// As it might have been opened instead: as much noise again.
Matrix with_noise(const Matrix& G, double noise, const Seed& seed, Index rank, int start) {
  Stream stream(seed, kNoiseAgain, static_cast<std::uint32_t>(rank), static_cast<std::uint64_t>(start));
  Matrix H = G;
  const double beside = noise * std::sqrt(0.5);
  for (Index j = 0; j < H.cols(); ++j) {
    for (Index i = 0; i < j; ++i) H(i, j) = H(j, i) = G(i, j) + beside * draw_normal(stream);
    H(j, j) += noise * draw_normal(stream);
  }
  return H;
}

double misfit_beside_diagonal(const Matrix& G, const SpanAndFactor& found) {
  Matrix rest = G - found.X * found.T * found.X.transpose();
  rest.diagonal().setZero();
  return rest.squaredNorm();
}

std::string reason_for(const MomentsRank& found, const MomentsSearchOptions& options) {
  const std::string noise = fmt::format("noise alone reaches {:.4g}", found.edge);
  if (found.last <= found.edge) {
    return fmt::format(
        "fewer components stand out of the noise than {}, the fewest that may be chosen: eigenvalue {} of the second "
        "moments is {:.4g}, and {}",
        options.least, found.rank, found.last, noise);
  }
  if (found.next > found.edge) {
    return fmt::format(
        "at rank {}, the largest that was tried, the next eigenvalue of the second moments is {:.4g}, and {}, so that "
        "there may be more",
        found.rank, found.next, noise);
  }
  return fmt::format(
      "so many components stand out of the noise: of the second moments, eigenvalue {} is {:.4g} and the next one "
      "{:.4g}, and {}",
      found.rank, found.last, found.next, noise);
}

// In which part of the starts every component is found again, and how alike it is there.
void compare_with_starts(const RankRuns& runs, RankChoice& choice) {
  const Index rank = choice.X.cols();
  choice.found.assign(static_cast<std::size_t>(rank), 0);
  choice.stability.assign(static_cast<std::size_t>(rank), 0);
  for (const Matrix& X : runs.X) {
    const Matrix cosine = cosines(choice.X, X);
    const std::vector<Index> pairs = best_pairs(cosine);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const double one = cosine(static_cast<Index>(k), pairs[k]);
      choice.found[k] += (one > kFoundAgain ? 1.0 : 0.0) / static_cast<double>(runs.X.size());
      choice.stability[k] += one / static_cast<double>(runs.X.size());
    }
  }
}

}  // namespace

MomentsRank rank_of_moments(const Matrix& G, double noise, Index least, Index most) {
  PPDNMF_CHECK(G.rows() == G.cols() && 1 <= least && least <= most && most <= G.rows() && noise > 0);
  fix_product_blocking();
  const Matrix H = symmetric_of_upper(G);
  Completed completed(H, noise);
  const auto rows = static_cast<double>(G.rows());
  const double of_noise = noise * std::sqrt(2 * rows) * (1 + kByChance * std::pow(rows, -2.0 / 3));
  MomentsRank found;
  for (found.rank = least;; ++found.rank) {
    completed.complete(found.rank);
    found.last = completed.value(found.rank - 1);
    found.next = completed.value(found.rank);
    found.edge = std::max(of_noise, completed.most_negative());
    if (found.next <= found.edge || found.rank == most) return found;
  }
}

Result<MomentsSearch> search_second_moments(const Matrix& G, const MomentsSearchOptions& options,
                                            const std::function<Matrix(Index, int)>& start, const Seed& seed,
                                            Executor& executor) {
  PPDNMF_CHECK(options.starts >= 1 && options.final_starts >= 1);
  if (!Matrix(G.triangularView<Eigen::Upper>()).allFinite())
    return error(ErrorCode::kNumeric, "the second moments hold a number that is not finite");
  const Matrix H = symmetric_of_upper(G);
  const MomentsRank chosen = rank_of_moments(H, options.noise, options.least, options.most);
  MomentsSearch out;
  const auto starts = static_cast<std::size_t>(options.starts);
  for (Index rank = options.least; rank <= options.most; ++rank)
    out.tried.push_back({rank, std::vector<double>(starts), std::vector<Matrix>(starts)});
  const std::size_t all = out.tried.size() * starts;
  std::vector<Status> done(all);
  executor.for_each(all, [&](std::size_t i) {
    RankRuns& runs = out.tried[i / starts];
    const std::size_t n = i % starts;
    const Matrix noisy = with_noise(H, options.noise, seed, runs.rank, static_cast<int>(n));
    // What such a start is told has the noise twice.
    const SecondMomentsOptions one{runs.rank, options.noise * std::sqrt(2.0), 1};
    auto found = factor_second_moments(
        noisy, one, [&](int) { return start(runs.rank, static_cast<int>(n)); }, executor);
    if (!found) {
      done[i] = tl::unexpected(std::move(found).error());
      return;
    }
    runs.values[n] = misfit_beside_diagonal(noisy, *found);
    runs.X[n] = std::move(found->X);
  });
  for (const Status& status : done) PPDNMF_TRY_STATUS(status);
  PPDNMF_TRY(out.found, factor_second_moments(
                            H, {chosen.rank, options.noise, options.final_starts},
                            [&](int n) { return start(chosen.rank, n); }, executor));
  out.choice.X = out.found.X;
  out.choice.first = out.choice.last = chosen.rank;
  out.choice.reason = reason_for(chosen, options);
  compare_with_starts(out.tried[static_cast<std::size_t>(chosen.rank - options.least)], out.choice);
  return out;
}

}  // namespace ppdnmf::nmf
