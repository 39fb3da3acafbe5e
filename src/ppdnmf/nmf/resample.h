// Columns as they might have come out: what the starts of one rank work on, to see what of X stays the same.
#ifndef PPDNMF_NMF_RESAMPLE_H_
#define PPDNMF_NMF_RESAMPLE_H_

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/loss_kind.h>

namespace ppdnmf::nmf {

// A number with mean 0 and variance 1 that is normally distributed but for its far tails: at most 6, at least -6. The
// same on every machine.
[[nodiscard]] double draw_normal(Stream& stream);

// A whole number with a Poisson distribution of this mean, finite and not negative; from 32 on a rounded normal one,
// which differs from it by less than resampling can tell. No function of a library enters: the same bytes give the same
// number on every machine.
[[nodiscard]] double draw_poisson(double mean, Stream& stream);

// Another draw of the columns:
//   kPoisson  every entry from a Poisson distribution whose mean it is, in units of the data: capped or weighed columns
//             are resampled as the counts that they were
//   kSquares  every column as often as a Poisson distribution of mean one says, which is what choosing as many columns
//             anew, with replacement, comes to
// What a column becomes follows from the seed and the column alone: not from where it lies, or who holds it. Equal
// columns become equal ones.
[[nodiscard]] data::SharedColumns resampled(const data::Columns& columns, LossKind loss, const Seed& seed,
                                            Executor& executor);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_RESAMPLE_H_
