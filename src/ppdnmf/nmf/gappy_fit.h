// How good factors are where entries are missing, and the best coordinates then: over the entries that are there.
#ifndef PPDNMF_NMF_GAPPY_FIT_H_
#define PPDNMF_NMF_GAPPY_FIT_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/measures.h>

namespace ppdnmf::nmf {

// argmin over Y >= 0 of the squared error over what is there, column by column, as exact as nonnegative_least_squares.
// R, if it is not empty: |R y|² is added for columns that lack entries (nmf/shrinkage.h).
[[nodiscard]] Matrix gappy_coordinates(const Matrix& X, const data::Columns& columns,
                                       Executor& executor = serial_executor(), const Matrix& R = {});

// As fit_of.
[[nodiscard]] LocalFit gappy_fit(const Matrix& X, const data::Columns& columns, const Matrix& Y,
                                 Executor& executor = serial_executor());

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_GAPPY_FIT_H_
