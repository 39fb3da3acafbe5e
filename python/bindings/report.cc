#include <ppdnmf/report/report.h>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <utility>

#include "arrays.h"
#include "bind.h"
#include "errors.h"
#include "record.h"
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/report/reference.h>

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

// A catalogue as somebody gives it: the path of a file, or components with their names and those of their features.
struct GivenReference {
  GivenReference(std::string place, std::optional<Array> values, std::vector<std::string> of_components,
                 std::vector<std::string> of_features)
      : path(std::move(place)),
        components(std::move(values)),
        names(std::move(of_components)),
        feature_names(std::move(of_features)) {}

  std::string path;
  std::optional<Array> components;
  std::vector<std::string> names, feature_names;
};

report::Reference reference_of(const GivenReference& given, const std::vector<std::string>& feature_names,
                               Index features) {
  if (!given.path.empty()) {
    io::Table table = require(io::read_matrix(given.path));
    return require(report::arrange_reference(std::move(table), given.path, feature_names, features));
  }
  io::Table table{columns_of(*given.components), given.feature_names, given.names, {}};
  return require(report::arrange_reference(std::move(table), "the reference (whose features are rows here)",
                                           feature_names, features));
}

std::vector<std::string> write(const std::string& folder, const py::dict& record, const py::dict& history,
                               const Array& components, std::vector<std::string> feature_names,
                               const std::optional<std::pair<Index, Index>>& image, const std::string& show,
                               const std::optional<GivenReference>& reference) {
  report::RunRecord run = to_record(record, history);
  const Matrix X = columns_of(components);
  report::Pictures pictures;
  pictures.show = require(report::parse_show(show));
  if (image) pictures.image = io::ImageShape{image->first, image->second};
  if (reference) pictures.reference = reference_of(*reference, feature_names, X.rows());
  report::ReportOptions options;
  options.row_names = std::move(feature_names);
  report::apply_pictures(pictures, X, run, options);
  // gnuplot takes its time.
  auto notes = [&] {
    const py::gil_scoped_release unlocked;
    return report::write_report(folder, run, X, options);
  }();
  return require(std::move(notes));
}

py::list match(const Array& components, const std::vector<std::string>& feature_names,
               const GivenReference& reference) {
  const Matrix X = columns_of(components);
  py::list pairs;
  for (const report::ComponentMatch& one :
       report::match_components(X, reference_of(reference, feature_names, X.rows()))) {
    if (one.name.empty()) {
      pairs.append(py::make_tuple(py::none(), py::none()));
    } else {
      pairs.append(py::make_tuple(one.name, one.cosine));
    }
  }
  return pairs;
}

}  // namespace

void bind_report(py::module_& module) {
  py::class_<GivenReference>(module, "Reference")
      .def(py::init<std::string, std::optional<Array>, std::vector<std::string>, std::vector<std::string>>(),
           py::kw_only(), py::arg("path"), py::arg("components"), py::arg("names"), py::arg("feature_names"));
  module.def("write_report", &write, py::arg("folder"), py::kw_only(), py::arg("record"), py::arg("history"),
             py::arg("components"), py::arg("feature_names"), py::arg("image"), py::arg("show"), py::arg("reference"),
             "Writes folder/report.html and returns notes on what it could not do.");
  module.def("match", &match, py::arg("components"), py::kw_only(), py::arg("feature_names"), py::arg("reference"),
             "(name, cosine) for each component, one-to-one.");
}

}  // namespace ppdnmf::python
