// What can be minimised, by name.
#ifndef PPDNMF_NMF_LOSS_KIND_H_
#define PPDNMF_NMF_LOSS_KIND_H_

#include <cstdint>

namespace ppdnmf::nmf {

enum class LossKind : std::uint8_t {
  kSquares,  // ||Z - X Y||² / 2
  kPoisson,  // the generalised Kullback-Leibler divergence of X Y from Z
};

// How much of the curvature of X the totals under the Poisson loss hold. kFull: a matrix for every row.
// kScaled: every row's diagonal, and one matrix of correlations for all rows.
enum class Curvature : std::uint8_t { kFull, kScaled };

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_LOSS_KIND_H_
