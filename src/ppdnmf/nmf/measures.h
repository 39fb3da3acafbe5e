// How good a factorisation is, and how far the agents agree. Pure functions.
#ifndef PPDNMF_NMF_MEASURES_H_
#define PPDNMF_NMF_MEASURES_H_

#include <span>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>

namespace ppdnmf::nmf {

// One agent's share of the error, all that has to be known of its data to add up errors.
struct LocalFit {
  double squared_error = 0;  // ||Z_i - X_i Y_i||^2
  double squared_norm = 0;   // ||Z_i||^2
};

// That of X and Y, rank x all columns.
[[nodiscard]] LocalFit fit_of(const Matrix& X, const data::Columns& columns, const Matrix& Y,
                              Executor& executor = serial_executor());

// ||Z - [X_i Y_i]|| / ||Z|| over all agents' columns; 0 for data that are all zero.
[[nodiscard]] double relative_error(std::span<const LocalFit> fits);

// The loss of squares: half of ||Z - [X_i Y_i]||^2 over all agents' columns.
[[nodiscard]] double squares_loss(std::span<const LocalFit> fits);

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

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_MEASURES_H_
