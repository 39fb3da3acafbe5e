#include "arrays.h"

#include <memory>
#include <string>
#include <utility>

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
