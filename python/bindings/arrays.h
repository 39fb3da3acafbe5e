// NumPy's arrays and the library's matrices. Samples are rows in Python and columns here, so an array of samples in C
// order is a matrix already, and one in Fortran order is a transposed one.
#ifndef PPDNMF_PYTHON_ARRAYS_H_
#define PPDNMF_PYTHON_ARRAYS_H_

#include <pybind11/numpy.h>

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/loss_options.h>

namespace ppdnmf::python {

using Array = pybind11::array_t<double>;
using Samples = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

// features x samples, without a copy whatever the order; valid as long as the array is. Fails with ValueError unless
// the array has two dimensions.
[[nodiscard]] Samples columns_of(const Array& samples);

// columns x rows, the matrix's own memory: no copy.
[[nodiscard]] Array transposed(Matrix matrix);

// Components that stay, one in each row of the array.
[[nodiscard]] std::shared_ptr<const nmf::KnownColumns> known_columns(const Array& components,
                                                                     const std::vector<std::string>& names);

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_ARRAYS_H_
