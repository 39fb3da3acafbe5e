// Made data for the audit, as many columns as wanted.
#ifndef PPDNMF_AUDIT_MODEL_SAMPLES_H_
#define PPDNMF_AUDIT_MODEL_SAMPLES_H_

#include <cstdint>

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::audit {

// The paper's recipe (experiment/synthetic_data.h) for any size: X and Y exponential with means 0.033 and 0.8, Gaussian
// noise of variance 3.6e-4, negative entries set to zero. A column depends on the seed and its place only, so that more
// columns of one seed are columns of the same population.
[[nodiscard]] Matrix synthetic_columns_of(std::uint64_t seed, Index columns, Index rows = 30, Index rank = 5);

// Whole numbers such as counts of mutations: a few sparse signatures, sizes that differ tenfold, Poisson noise in
// Gaussian form, rounded.
[[nodiscard]] Matrix count_columns_of(std::uint64_t seed, Index columns, Index rows = 96, Index rank = 4);

// Counts of columns that are much alike in size, so that no column stands out: a few sparse signatures, exposures that
// differ threefold, Poisson noise in Gaussian form, rounded.
[[nodiscard]] Matrix even_counts_of(std::uint64_t seed, Index columns, Index rows, Index rank);

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_MODEL_SAMPLES_H_
