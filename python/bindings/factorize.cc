#include "nmf/factorize.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <utility>

#include "arrays.h"
#include "background.h"
#include "bind.h"
#include "coordinates.h"
#include "errors.h"
#include "history.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

// Everything a fit touches while it runs: it may outlive its caller.
struct Fit {
  Matrix Z;
  FactorizeOptions options;
  std::uint64_t seed = 0;
  Matrix X, Y;
  std::vector<HistoryRow> history;
  std::string stopped_because;
};

Status run(Fit& fit, Monitor& monitor) {
  const Clock clock;
  PPDNMF_TRY(Factorization run, Factorization::create(std::move(fit.Z), fit.options, Seed::from_number(fit.seed)));
  bool end_here = false;
  while (!run.done() && !end_here) {
    if (monitor.given_up()) return {};
    PPDNMF_TRY_STATUS(run.step());
    const double error = run.relative_error();
    fit.history.push_back({run.iterations(), 0, error, error, 0, clock.seconds(), 0});
    end_here = monitor.report(fit.history.back());
  }
  fit.X = run.X();
  fit.Y = run.Y();
  fit.stopped_because = run.done() ? run.stopped_because() : "request";
  return {};
}

py::dict factorize(const Array& samples, Index n_components, std::uint64_t seed, int max_iter, double tol,
                   const py::object& callback) {
  const Samples Z = columns_of(samples);
  const auto fit = std::make_shared<Fit>();
  {
    const py::gil_scoped_release unlocked;
    fit->Z = Z;
  }
  fit->options.rank = n_components;
  fit->options.bcd = max_iter;
  fit->options.tolerance = tol;
  fit->seed = seed;
  run_in_background([fit](Monitor& monitor) { return run(*fit, monitor); }, OnGivingUp::kLeaveIt,
                    listener_of(callback));
  Coordinates exact = exact_coordinates(fit->X, Z, fit->Y);

  py::dict result;
  result["components"] = transposed(std::move(fit->X));
  result["coordinates"] = transposed(std::move(exact.Y));
  result["squared_error"] = exact.squared_error;
  result["squared_norm"] = exact.squared_norm;
  result["stopped_because"] = fit->stopped_because;
  result["history"] = to_dict(fit->history);
  return result;
}

py::tuple coordinates(const Array& components, const Array& samples) {
  const Matrix X = columns_of(components);
  Coordinates exact = exact_coordinates(X, columns_of(samples));
  return py::make_tuple(transposed(std::move(exact.Y)), exact.squared_error, exact.squared_norm);
}

}  // namespace

void bind_factorize(py::module_& module) {
  module.def("factorize", &factorize, py::arg("samples"), py::kw_only(), py::arg("n_components"), py::arg("seed"),
             py::arg("max_iter"), py::arg("tol"), py::arg("callback") = py::none(),
             "One machine's factorisation, ended with exact coordinates.");
  module.def("coordinates", &coordinates, py::arg("components"), py::arg("samples"),
             "(coordinates, squared error, squared norm): the best nonnegative coordinates of samples in components.");
}

}  // namespace ppdnmf::python
