#include "arrays.h"

#include <memory>
#include <string>
#include <utility>

#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/nonzeros.h>

namespace py = pybind11;

namespace ppdnmf::python {

Samples columns_of(const Array& samples) {
  if (samples.ndim() != 2) {
    throw py::value_error("samples must have two dimensions, not " + std::to_string(samples.ndim()));
  }
  constexpr auto kSize = static_cast<py::ssize_t>(sizeof(double));
  return {samples.data(), samples.shape(1), samples.shape(0),
          Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>(samples.strides(0) / kSize, samples.strides(1) / kSize)};
}

SparseSamples::SparseSamples(const py::array_t<std::int64_t>& indptr, py::array_t<int> indices, Array data,
                             Index features)
    : features_(features), indices_(std::move(indices)), data_(std::move(data)) {
  constexpr auto kDense = static_cast<py::ssize_t>(sizeof(double));
  const bool lists = indptr.ndim() == 1 && indices_.ndim() == 1 && data_.ndim() == 1 && indptr.size() > 0 &&
                     indices_.size() == data_.size() && (data_.size() == 0 || data_.strides(0) == kDense) &&
                     (indices_.size() == 0 || indices_.strides(0) == static_cast<py::ssize_t>(sizeof(int)));
  if (!lists) throw py::value_error("the arrays of sparse samples do not fit together");
  std::int64_t before = 0;
  for (py::ssize_t i = 0; i < indptr.size(); ++i) {
    const std::int64_t next = indptr.at(i);
    if (next < before || (i == 0 && next != 0)) throw py::value_error("indptr of sparse samples does not rise from 0");
    first_.push_back(static_cast<std::size_t>(before = next));
  }
  if (before != data_.size()) throw py::value_error("indptr of sparse samples does not end with their entries");
  const int* const index = indices_.data();
  for (std::size_t m = 0; m + 1 < first_.size(); ++m) {
    for (std::size_t i = first_[m]; i < first_[m + 1]; ++i) {
      if (index[i] < 0 || index[i] >= features || (i > first_[m] && index[i] <= index[i - 1]))
        throw py::value_error("indices of sparse samples are out of order, or beyond the number of features");
    }
  }
}

data::SharedColumns SparseSamples::part(Index first, Index count) const {
  const auto begin = first_.begin() + first;
  return data::lent({features_, {begin, begin + count + 1}, indices_.data(), data_.data()});
}

SampleColumns::SampleColumns(const SampleInput& input) {
  if (const auto* const array = std::get_if<Array>(&input)) {
    dense_.emplace(columns_of(*array));
  } else {
    sparse_ = std::get<std::shared_ptr<SparseSamples>>(input);
  }
}

data::SharedColumns SampleColumns::part(Index first, Index count, Matrix& space) const {
  if (sparse_) return sparse_->part(first, count);
  space = dense_->middleCols(first, count);
  return data::gappy_view(space);
}

Array transposed(Matrix matrix) {
  auto owned = std::make_unique<Matrix>(std::move(matrix));
  Matrix* const raw = owned.get();
  const py::capsule owner(owned.release(), [](void* pointer) { delete static_cast<Matrix*>(pointer); });
  return Array({raw->cols(), raw->rows()}, raw->data(), owner);
}

std::shared_ptr<const nmf::KnownColumns> known_columns(const Array& components, const std::vector<std::string>& names) {
  const auto known = std::make_shared<nmf::KnownColumns>();
  known->values = columns_of(components);
  known->names = names;
  if (static_cast<Index>(names.size()) != known->values.cols())
    throw pybind11::value_error("known components need one name each");
  return known;
}

}  // namespace ppdnmf::python
