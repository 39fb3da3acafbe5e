// The number of components, chosen from starts of several ranks on resampled data (docs/mathematics.md).
//
// A component that is there is found again and again: in most starts, on data that might have come out instead, and at
// several ranks. X's are common knowledge, so whoever has the same ones chooses the same, to the bit.
#ifndef PPDNMF_NMF_RANK_CHOICE_H_
#define PPDNMF_NMF_RANK_CHOICE_H_

#include <span>
#include <string>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

// All starts of one rank.
struct RankRuns {
  Index rank = 0;
  std::vector<double> values;  // of the loss at the end of each start, on the data that it worked on
  std::vector<Matrix> X;       // of each start, rows x rank
};

// One rank for itself: its starts matched with each other.
struct RankCandidate {
  Index rank = 0;
  double value = 0;                 // of the loss, the smallest of its starts
  std::vector<double> silhouettes;  // of each component, -1 to 1: how much nearer its copies in other starts are than
                                    // those of any other component, by 1 - cosine
  double stability = 0;             // the mean of these
  Matrix X;                         // the means of matched components, whose columns sum to one, in the order of the
                                    // start with the smallest loss
};
[[nodiscard]] RankCandidate candidate_of(const RankRuns& runs);

struct RankSearchShape {
  Index rows = 0;
  double columns = 0;  // of everybody
  Index least = 1;     // ranks that may be chosen
  Index most = 1;
};

// From which rank on the loss D falls no faster than noise would let it: the smallest K with
//   (1 - sqrt(D(K + 2) / D(K))) / e < 2, there and at the next rank, e = (sqrt L + sqrt M)² / (L M) for L x M data,
// where e is the part of pure noise that its largest component explains. The largest rank if there is none yet.
struct NoiseRank {
  Index rank = 0;
  bool certain = false;  // ranks that were tried say so; else the loss still fell at the largest
};
[[nodiscard]] NoiseRank noise_rank(std::span<const RankRuns> runs, const RankSearchShape& shape);

// Whether further ranks would not change the choice: the noise's rank K is known, and ranks up to 1.5 K were tried.
// `runs` are of rising ranks, one after the other.
[[nodiscard]] bool enough_ranks(std::span<const RankRuns> runs, const RankSearchShape& shape);

struct RankChoice {
  Matrix X;                       // rows x the chosen number; columns sum to one, the most often found ones first
  std::vector<double> found;      // for each of them, the part of the runs in which it was found
  std::vector<double> stability;  // and the mean cosine between it and what was found there
  Index first = 0;                // runs of ranks from here
  Index last = 0;                 // to here were counted
  std::string reason;             // in a sentence
};

// All runs of ranks K to 1.5 K, K the noise's rank, are searched for components that are found in at least 70 % of
// them (cosine above 0.9, one of each run). Of two that are nearly the same (cosine above 0.95) the one that was found
// more often stays. At least shape.least of them, if so many differ, and at most shape.most. Deterministic.
[[nodiscard]] RankChoice choose_rank(std::span<const RankRuns> runs, const RankSearchShape& shape, Executor& executor);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_RANK_CHOICE_H_
