// NumPy's arrays and the library's matrices. Samples are rows in Python and columns here, so an array of samples in C
// order is a matrix already, and one in Fortran order is a transposed one.
#ifndef PPDNMF_PYTHON_ARRAYS_H_
#define PPDNMF_PYTHON_ARRAYS_H_

#include <pybind11/numpy.h>

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <ppdnmf/data/columns.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/nmf/loss_options.h>

namespace ppdnmf::python {

using Array = pybind11::array_t<double>;
using Samples = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

// features x samples, without a copy whatever the order; valid as long as the array is. Fails with ValueError unless
// the array has two dimensions.
[[nodiscard]] Samples columns_of(const Array& samples);

// Samples as scipy's csr_matrix keeps them: the rows of a sparse array are columns here, and their entries are lent
// without a copy if the indices are 32 bits wide. Entries of a row in the order of their indices, none twice.
class SparseSamples {
 public:
  // Fails with ValueError if the arrays do not fit together.
  SparseSamples(const pybind11::array_t<std::int64_t>& indptr, pybind11::array_t<int> indices, Array data,
                Index features);
  [[nodiscard]] Index rows() const { return features_; }
  [[nodiscard]] Index count() const { return static_cast<Index>(first_.size()) - 1; }
  [[nodiscard]] data::SharedColumns part(Index first, Index count) const;

 private:
  Index features_;
  std::vector<std::size_t> first_;
  pybind11::array_t<int> indices_;
  Array data_;
};

using SampleInput = std::variant<Array, std::shared_ptr<SparseSamples>>;

// Samples of either kind as columns; valid as long as what they came from.
class SampleColumns {
 public:
  explicit SampleColumns(const SampleInput& input);
  [[nodiscard]] Index rows() const { return sparse_ ? sparse_->rows() : dense_->rows(); }
  [[nodiscard]] Index count() const { return sparse_ ? sparse_->count() : dense_->cols(); }
  [[nodiscard]] bool is_sparse() const { return sparse_ != nullptr; }
  // Some of them. Dense ones are copied into `space`, which outlives what is returned; NaN are missing entries.
  [[nodiscard]] data::SharedColumns part(Index first, Index count, Matrix& space) const;
  [[nodiscard]] data::SharedColumns all(Matrix& space) const { return part(0, count(), space); }

 private:
  std::optional<Samples> dense_;
  std::shared_ptr<SparseSamples> sparse_;
};

// columns x rows, the matrix's own memory: no copy.
[[nodiscard]] Array transposed(Matrix matrix);

// Components that stay, one in each row of the array.
[[nodiscard]] std::shared_ptr<const nmf::KnownColumns> known_columns(const Array& components,
                                                                     const std::vector<std::string>& names);

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_ARRAYS_H_
