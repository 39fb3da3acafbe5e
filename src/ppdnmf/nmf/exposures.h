// What Y says of each column, X as it is: intervals of every number, and Y without components that do not pay. Local:
// nothing of it leaves a holder, and X is not touched.
// The loss is the run's without penalties, which would make exposures smaller than they are. Columns and Y are in units
// of the data: how columns were divided for a run changes no y under either loss. Missing entries are left out.
#ifndef PPDNMF_NMF_EXPOSURES_H_
#define PPDNMF_NMF_EXPOSURES_H_

#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/loss_kind.h>

namespace ppdnmf::nmf {

struct ExposureOptions {
  double prune = 0;   // a component is dropped if that raises its column's loss by at most this part; 0: none is
  int intervals = 0;  // draws of each column behind its intervals; 0: there are none

  [[nodiscard]] bool any() const { return prune > 0 || intervals > 0; }
};

// What each column's y comes to; columns of zeros are left out.
struct ColumnFits {
  std::vector<double> active;  // components with more than 1 % of the sum of X y
  std::vector<double> cosine;  // between the column and X y

  void add(const ColumnFits& more);
};
[[nodiscard]] ColumnFits column_fits(const Matrix& X, const data::Columns& columns, const Matrix& Y,
                                     Executor& executor = serial_executor());

struct ExposureMeasures {
  double active_median, active_mean;
  double cosine_median, cosine_low;  // the 5th percentile
};
// NaN without columns.
[[nodiscard]] ExposureMeasures measures_of(const ColumnFits& fits);

// Backward elimination, column by column: of the components that y has, the one without which the column's loss rises
// least, the others solved anew, is dropped, as long as it rises by at most `part` of what it is with all of them; and
// so on with what is left. What is dropped is zero, exactly; the rest is the best for X and the column. A column keeps
// at least one component unless it is zero. Y: rank x all columns. 0 < part.
[[nodiscard]] Matrix prune(LossKind loss, const Matrix& X, const data::SharedColumns& columns, const Matrix& Y,
                           double part, Executor& executor = serial_executor());

// The middle 95 % of every number of Y over draws of its column, each solved anew with the components that y has; those
// that it has not (zero) have the interval from 0 to 0.
//   counts      under the Poisson loss a column of whole numbers is drawn anew entry by entry, from Poisson
//               distributions whose means its entries are
//   everything  else is drawn as X y plus the column's residuals with random signs, which are what they are in size
//               wherever they are large (a wild bootstrap), times sqrt(rows / (rows - components of y))
// A column's draws follow from the seed and the column's content alone, not from where it lies or who holds it.
struct Intervals {
  Matrix low, high;  // as Y
};
[[nodiscard]] Intervals intervals(LossKind loss, const Matrix& X, const data::SharedColumns& columns, const Matrix& Y,
                                  int draws, const Seed& seed, Executor& executor = serial_executor());

// Both, as the options say, and what the columns come to; Y becomes the pruned one.
struct Exposures {
  Intervals intervals;  // empty without
  ColumnFits before;    // empty unless components were dropped
  ColumnFits now;
};
[[nodiscard]] Exposures work_out(LossKind loss, const Matrix& X, const data::SharedColumns& columns, Matrix& Y,
                                 const ExposureOptions& options, const Seed& seed,
                                 Executor& executor = serial_executor());

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_EXPOSURES_H_
