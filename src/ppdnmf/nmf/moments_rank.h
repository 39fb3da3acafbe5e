// The number of components from second moments that were opened once, with noise of a known size (docs/privacy.md).
//
// Everything here follows from G and public numbers, so it tells no more about the columns than G does: a search over
// any number of ranks and starts costs no budget. Whoever knows the same G chooses the same, to the bit.
#ifndef PPDNMF_NMF_MOMENTS_RANK_H_
#define PPDNMF_NMF_MOMENTS_RANK_H_

#include <functional>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/rank_choice.h>
#include <ppdnmf/nmf/second_moments.h>

namespace ppdnmf::nmf {

struct MomentsRank {
  Index rank = 0;
  double last = 0;  // the eigenvalue of the last component,
  double next = 0;  // the one after it, or 0 if there is none,
  double edge = 0;  // and what noise alone reaches
};

// The smallest rank of the range after which no eigenvalue of G is larger than noise makes it. G is rows x rows and
// finite, with noise of standard deviation s on the diagonal and s / sqrt 2 off it, s > 0. 1 <= least <= most <= rows
// (checked).
//
// The diagonal does not count: what is of every entry alone, such as the chance in counts, adds to it and to nothing
// else. It is replaced by that of the components so far. The edge is that of the noise, s sqrt(2 rows), with an
// allowance for chance; or the largest negative eigenvalue, where that is farther off: no component makes one, so it
// shows what else is in G that is no component.
[[nodiscard]] MomentsRank rank_of_moments(const Matrix& G, double noise, Index least, Index most);

struct MomentsSearchOptions {
  Index least = 0;  // as above
  Index most = 0;
  double noise = 0;
  int starts = 10;        // of each rank, on G with as much noise again; at least 1
  int final_starts = 10;  // for the rank that is chosen, on G as it is; at least 1
};

struct MomentsSearch {
  std::vector<RankRuns> tried;  // values: squared misfit off the diagonal, of the G that the start worked on
  RankChoice choice;            // its X is that of `found`; found in, and cosine to, the starts of the chosen rank
  SpanAndFactor found;          // factor_second_moments of the chosen rank
};

// start(rank, n): nonnegative, rows x rank, as factor_second_moments takes it; called from several threads. `seed`: of
// the noise that is added to see what of X stays. Fails with kNumeric if an entry of G is not finite.
[[nodiscard]] Result<MomentsSearch> search_second_moments(const Matrix& G, const MomentsSearchOptions& options,
                                                          const std::function<Matrix(Index, int)>& start,
                                                          const Seed& seed, Executor& executor = serial_executor());

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_MOMENTS_RANK_H_
