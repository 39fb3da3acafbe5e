#include <ppdnmf/nmf/rank_choice.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/internal/found_again.h>
#include <ppdnmf/nmf/matching.h>

namespace ppdnmf::nmf {
namespace {

constexpr double kNoiseFalls = 2;  // two more components fall so many edges in pure noise, and by chance a little more
constexpr double kWindow = 1.5;
constexpr double kSame = 0.9;
constexpr double kOften = 0.7;
constexpr double kCopies = 0.95;
constexpr int kMatchings = 5;

double smallest(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

std::size_t best_start(const RankRuns& runs) {
  return static_cast<std::size_t>(std::min_element(runs.values.begin(), runs.values.end()) - runs.values.begin());
}

Matrix columns_of_sum_one(Matrix X) {
  for (Index k = 0; k < X.cols(); ++k) {
    const double sum = X.col(k).sum();
    if (sum > 0) X.col(k) /= sum;
  }
  return X;
}

double noise_edge(const RankSearchShape& shape) {
  const auto rows = static_cast<double>(shape.rows);
  const double root = std::sqrt(rows) + std::sqrt(shape.columns);
  return root * root / (rows * shape.columns);
}

// By how many edges the loss falls with two components more than at place i.
double fall(std::span<const RankRuns> runs, std::size_t i, double edge) {
  const double here = smallest(runs[i].values);
  return here > 0 ? (1 - std::sqrt(smallest(runs[i + 2].values) / here)) / edge : 0;
}

Index window_end(Index first) { return static_cast<Index>(std::floor(kWindow * static_cast<double>(first))); }

// pairs[r][k]: which component of start r is component k of the reference.
using Pairs = std::vector<std::vector<Index>>;

Pairs pair_up(const Matrix& reference, const std::vector<Matrix>& X) {
  Pairs pairs;
  for (const Matrix& one : X) pairs.push_back(best_pairs(cosines(reference, one)));
  return pairs;
}

// Mean distance, 1 - cosine, between component k of start r and the copies of component j in the other starts.
double mean_distance(const std::vector<std::vector<Matrix>>& cosine, const Pairs& pairs, std::size_t r, Index k,
                     Index j) {
  double sum = 0;
  int count = 0;
  for (std::size_t s = 0; s < pairs.size(); ++s) {
    if (s == r) continue;
    sum += 1 - cosine[r][s](pairs[r][static_cast<std::size_t>(k)], pairs[s][static_cast<std::size_t>(j)]);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

std::vector<double> silhouettes_of(const RankRuns& runs, const Pairs& pairs) {
  std::vector<std::vector<Matrix>> cosine(runs.X.size());
  for (std::size_t r = 0; r < runs.X.size(); ++r) {
    for (const Matrix& other : runs.X) cosine[r].push_back(cosines(runs.X[r], other));
  }
  std::vector<double> out;
  for (Index k = 0; k < runs.rank; ++k) {
    double sum = 0;
    for (std::size_t r = 0; r < runs.X.size(); ++r) {
      const double own = mean_distance(cosine, pairs, r, k, k);
      double next = 1;
      for (Index j = 0; j < runs.rank; ++j) {
        if (j != k) next = std::min(next, mean_distance(cosine, pairs, r, k, j));
      }
      const double larger = std::max(own, next);
      sum += larger > 0 ? (next - own) / larger : 0;
    }
    out.push_back(sum / static_cast<double>(runs.X.size()));
  }
  return out;
}

std::string reason_for(const RankChoice& choice, const NoiseRank& noise, std::size_t runs, std::size_t often) {
  const auto least = static_cast<std::size_t>(choice.X.cols());
  const std::string found =
      fmt::format("{} component{} found in at least {:.0f} % of the {} runs of {}", std::min(often, least),
                  often == 1 ? " was" : "s were", 100 * kOften, runs,
                  choice.first == choice.last ? fmt::format("rank {}", choice.first)
                                              : fmt::format("ranks {} to {}", choice.first, choice.last));
  const std::string where =
      noise.certain ? fmt::format("from rank {} on the loss falls no faster than noise would let it", noise.rank)
                    : fmt::format(
                          "at rank {}, the largest that was tried, the loss still falls faster than noise "
                          "would let it, so that there may be more",
                          noise.rank);
  if (often < least) return fmt::format("only {}, and {} are the fewest that may be chosen; {}", found, least, where);
  return fmt::format("{}; {}", found, where);
}

}  // namespace

RankCandidate candidate_of(const RankRuns& runs) {
  PPDNMF_CHECK(!runs.X.empty() && runs.X.size() == runs.values.size());
  RankCandidate out;
  out.rank = runs.rank;
  out.value = smallest(runs.values);
  out.X = columns_of_sum_one(runs.X[best_start(runs)]);
  Pairs pairs;
  for (int n = 0; n < kMatchings; ++n) {
    pairs = pair_up(out.X, runs.X);
    Matrix mean = Matrix::Zero(out.X.rows(), runs.rank);
    for (std::size_t r = 0; r < runs.X.size(); ++r) {
      const Matrix X = columns_of_sum_one(runs.X[r]);
      for (Index k = 0; k < runs.rank; ++k) mean.col(k) += X.col(pairs[r][static_cast<std::size_t>(k)]);
    }
    out.X = mean / static_cast<double>(runs.X.size());
  }
  out.silhouettes = silhouettes_of(runs, pairs);
  for (const double one : out.silhouettes) out.stability += one / static_cast<double>(runs.rank);
  return out;
}

NoiseRank noise_rank(std::span<const RankRuns> runs, const RankSearchShape& shape) {
  PPDNMF_CHECK(!runs.empty());
  const double edge = noise_edge(shape);
  for (std::size_t i = 0; i + 3 < runs.size(); ++i) {
    if (fall(runs, i, edge) < kNoiseFalls && fall(runs, i + 1, edge) < kNoiseFalls) return {runs[i].rank, true};
  }
  // Near the largest rank there is only one fall to look at.
  if (runs.size() >= 3 && runs.back().rank == shape.most && fall(runs, runs.size() - 3, edge) < kNoiseFalls)
    return {runs[runs.size() - 3].rank, true};
  return {runs.back().rank, false};
}

bool enough_ranks(std::span<const RankRuns> runs, const RankSearchShape& shape) {
  if (runs.empty()) return false;
  if (runs.back().rank >= shape.most) return true;
  const NoiseRank noise = noise_rank(runs, shape);
  return noise.certain && runs.back().rank >= window_end(noise.rank);
}

RankChoice choose_rank(std::span<const RankRuns> runs, const RankSearchShape& shape, Executor& executor) {
  const NoiseRank noise = noise_rank(runs, shape);
  RankChoice choice;
  choice.first = noise.rank;
  std::vector<Matrix> X;
  for (const RankRuns& of_rank : runs) {
    if (of_rank.rank < noise.rank || of_rank.rank > std::max(noise.rank, window_end(noise.rank))) continue;
    choice.last = of_rank.rank;
    for (const Matrix& one : of_rank.X) X.push_back(columns_of_sum_one(one));
  }
  const std::vector<internal::FoundAgain> all = internal::found_again(X, kSame, kCopies, shape.most, executor);
  std::size_t often = 0;
  while (often < all.size() && all[often].part >= kOften) ++often;
  const std::size_t kept =
      std::min(all.size(), std::max({often, static_cast<std::size_t>(shape.least), std::size_t{1}}));
  choice.X.resize(shape.rows, static_cast<Index>(kept));
  for (std::size_t k = 0; k < kept; ++k) {
    choice.X.col(static_cast<Index>(k)) = all[k].mean;
    choice.found.push_back(all[k].part);
    choice.stability.push_back(all[k].cosine);
  }
  choice.reason = reason_for(choice, noise, X.size(), often);
  return choice;
}

}  // namespace ppdnmf::nmf
