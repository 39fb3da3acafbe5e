#include <ppdnmf/report/report.h>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>

#include "arrays.h"
#include "bind.h"
#include "errors.h"
#include "record.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

std::vector<std::string> write(const std::string& folder, const py::dict& record, const py::dict& history,
                               const Array& components, std::vector<std::string> feature_names,
                               const std::optional<std::pair<Index, Index>>& image) {
  const report::RunRecord run = to_record(record, history);
  const Matrix X = columns_of(components);
  report::ReportOptions options;
  options.row_names = std::move(feature_names);
  options.component_names = run.components;
  if (image) options.image = io::ImageShape{image->first, image->second};
  // gnuplot takes its time.
  auto notes = [&] {
    const py::gil_scoped_release unlocked;
    return report::write_report(folder, run, X, options);
  }();
  return require(std::move(notes));
}

}  // namespace

void bind_report(py::module_& module) {
  module.def("write_report", &write, py::arg("folder"), py::kw_only(), py::arg("record"), py::arg("history"),
             py::arg("components"), py::arg("feature_names"), py::arg("image"),
             "Writes folder/report.html and returns notes on what it could not do.");
}

}  // namespace ppdnmf::python
