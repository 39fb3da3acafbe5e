// Columns as integers, and the sum of their z zᵀ: what the one opening of second moments is made of.
#ifndef PPDNMF_NMF_INTERNAL_ROUNDED_COLUMNS_H_
#define PPDNMF_NMF_INTERNAL_ROUNDED_COLUMNS_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/moments.h>

namespace ppdnmf::nmf::internal {

// n_i near values[i] / scale * 2^bits with sum n_i² <= 4^bits / of_person, exactly: rounded to the nearest integer,
// after the column was made a little shorter if need be. of_person: how many columns the column's person has
// (data/persons.h); the norms of their n nᵀ, at most 4^bits / of_person each, add up to what one column may have.
// Depends on the nonzero values alone. Values are nonnegative and finite. True if the column was longer than that by
// more than round-off.
[[nodiscard]] bool round_column(const double* values, Index count, double scale, int bits, double* integers,
                                Index of_person = 1);

// As Holder::rounded_second_moments.
[[nodiscard]] RoundedSecondMoments rounded_second_moments(const data::Columns& columns, double scale, int bits,
                                                          Executor& executor);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_ROUNDED_COLUMNS_H_
