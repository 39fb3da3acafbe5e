// Exact coordinates of samples in given components: what `transform` gives, and what a fit ends with.
#ifndef PPDNMF_PYTHON_COORDINATES_H_
#define PPDNMF_PYTHON_COORDINATES_H_

#include "arrays.h"
#include "background.h"
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/loss_options.h>

namespace ppdnmf::python {

struct Coordinates {
  Matrix Y;                  // argmin over Y >= 0 of ||Z - X Y||
  double squared_error = 0;  // ||Z - X Y||²
  double squared_norm = 0;   // ||Z||²
  double divergence = 0;     // the Kullback-Leibler one, where it is the loss
};

// nonnegative_least_squares, some columns at a time: never more than these are copied, and Ctrl-C is looked for between
// them. The bytes are those of all columns at once, on any number of threads (0: all processors). `guess` is empty or
// holds a Y to start from. `shrink`: of columns that lack entries (nmf/shrinkage.h). Raises ValueError if the shapes do
// not fit or a number is not finite. Needs the interpreter's lock.
[[nodiscard]] Coordinates exact_coordinates(const Matrix& X, const SampleColumns& Z, std::size_t threads,
                                            const Matrix& guess = {}, const Matrix& shrink = {});

// The best ones under a loss with its penalties (nmf::best_coordinates); fails as exact_coordinates does.
[[nodiscard]] Coordinates best_coordinates(const Matrix& X, const SampleColumns& Z, const nmf::LossOptions& loss,
                                           std::size_t threads);

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_COORDINATES_H_
