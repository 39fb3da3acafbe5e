// Where every agent starts, and how large the numbers are.
#ifndef PPDNMF_NMF_START_H_
#define PPDNMF_NMF_START_H_

#include <cstdint>

#include <ppdnmf/base/random.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf {

// kRandom: uniform in (0, 1), the same at every agent since it follows from the run's public seed.
// kOnes: the paper's. The columns of X then stay equal for ever in exact arithmetic (docs/mathematics.md).
enum class Start : std::uint8_t { kRandom, kOnes };

// `number` tells several starts of a run apart; one alone has number 0.
[[nodiscard]] Matrix common_start(Start start, Index rows, Index rank, const Seed& public_seed,
                                  std::uint64_t number = 0);

// The power of two nearest to the mean of the entries, 1 if the mean is 0: data divided by it are of size one, exactly.
[[nodiscard]] double data_scale(double mean);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_START_H_
