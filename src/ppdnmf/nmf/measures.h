// How good a factorisation is, and how far the agents agree, over the entries that are there. Pure functions.
#ifndef PPDNMF_NMF_MEASURES_H_
#define PPDNMF_NMF_MEASURES_H_

#include <span>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/nmf/loss_options.h>

namespace ppdnmf::nmf {

// One agent's share of the error, all that has to be known of its data to add up errors.
struct LocalFit {
  double squared_error = 0;  // ||Z_i - X_i Y_i||^2
  double squared_norm = 0;   // ||Z_i||^2
  double divergence = 0;     // of X_i Y_i from Z_i, where that is the loss
  double penalty = 0;        // of X and Y, where a fit is one of all columns
};

// That of X and Y, rank x all columns.
[[nodiscard]] LocalFit fit_of(const Matrix& X, const data::Columns& columns, const Matrix& Y,
                              Executor& executor = serial_executor());

// ||Z - [X_i Y_i]|| / ||Z|| over all agents' columns; 0 for data that are all zero.
[[nodiscard]] double relative_error(std::span<const LocalFit> fits);

// What a run minimises, over all agents' columns: half of ||Z - [X_i Y_i]||^2, or the divergence, and penalties.
[[nodiscard]] double loss_value(LossKind loss, std::span<const LocalFit> fits);
// What it becomes for data that are `scale` times as large.
[[nodiscard]] double scaled_loss(LossKind loss, double value, double scale);

// The generalised Kullback-Leibler divergence of X Y from the columns: sum z log(z / r) - z + r, r = X Y; infinite
// where an r is zero beneath a z that is not. Walks over nonzero entries, leaf by leaf.
[[nodiscard]] double divergence_of(const Matrix& X, const data::Columns& columns, const Matrix& Y,
                                   Executor& executor = serial_executor());
// The best coordinates under a loss with its penalties, rank x all columns: as far as arithmetic goes. X is
// nonnegative; all of its columns are as they are.
[[nodiscard]] Matrix best_coordinates(const Matrix& X, const data::SharedColumns& columns, LossOptions loss,
                                      Executor& executor = serial_executor());
// What penalties come to.
[[nodiscard]] double penalty_of(const Matrix& X, const Matrix& Y, const Penalties& penalties);

// The paper's NMSE: the mean of ||Z_i - X_i Y_i|| / ||Z_i||, over the agents whose data are not all zero. It falls when
// agents disagree, since each then fits its own data with an X of its own: read it beside `disagreement`.
[[nodiscard]] double nmse(std::span<const LocalFit> fits);

[[nodiscard]] Matrix mean_factor(std::span<const Matrix* const> X);

// max_i ||X_i - mean|| / ||mean||; 0 if the mean is 0.
[[nodiscard]] double disagreement(std::span<const Matrix* const> X, const Matrix& mean);

// ||Z - X Y|| / ||Z|| with the best nonnegative Y for this X. `guess` as for nonnegative_least_squares. Walks over the
// columns a few at a time.
[[nodiscard]] double best_error(const Matrix& X, const data::Columns& columns, const Matrix& guess = {},
                                Executor& executor = serial_executor());
[[nodiscard]] double best_error(const Matrix& X, const Matrix& Z, const Matrix& guess = {});
// What leaves of columns without gaps add to the fit that best_error is of, from left to right.
[[nodiscard]] std::vector<LocalFit> best_fits(const Matrix& X, const data::Columns& columns,
                                              const std::vector<data::Range>& leaves, const Matrix& guess,
                                              Executor& executor);

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_MEASURES_H_
