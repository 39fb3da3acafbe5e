// X as Y steps under squares want it, made once for all holders that have it in common (spread/board.h).
#ifndef PPDNMF_NMF_PREPARED_X_H_
#define PPDNMF_NMF_PREPARED_X_H_

#include <cstddef>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

// Of one X, which outlives its use, as the two do.
struct PreparedX {
  const double* grouped;  // begins where a line of the cache does
  const Matrix& gram;     // XᵀX
};

[[nodiscard]] std::size_t numbers_of_prepared(Index rows, Index rank);
// Writes so many numbers, and gives XᵀX. Threads change no byte.
[[nodiscard]] Matrix prepare_X(const Matrix& X, double* grouped, Executor& executor);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_PREPARED_X_H_
