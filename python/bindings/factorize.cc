#include <ppdnmf/nmf/factorize.h>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <memory>
#include <utility>

#include "arrays.h"
#include "background.h"
#include "bind.h"
#include "coordinates.h"
#include "errors.h"
#include "history.h"
#include "record.h"
#include "version.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

// Everything a fit touches while it runs: it may outlive its caller.
struct Fit {
  Matrix Z;
  nmf::FactorizeOptions options;
  std::uint64_t seed = 0;
  Matrix X, Y;
  report::RunRecord record;
};

Status run(Fit& fit, Monitor& monitor) {
  const Clock clock;
  PPDNMF_TRY(nmf::Factorization run, nmf::Factorization::create(std::move(fit.Z), fit.options, Seed::from_number(fit.seed)));
  bool end_here = false;
  while (!run.done() && !end_here) {
    if (monitor.given_up()) return {};
    PPDNMF_TRY_STATUS(run.step());
    const double error = run.relative_error();
    fit.record.history.push_back({run.iterations(), 0, error, error, 0, clock.seconds(), 0});
    end_here = monitor.report(fit.record.history.back());
  }
  if (!run.done()) PPDNMF_TRY_STATUS(run.stop("request"));
  fit.X = run.X();
  fit.Y = run.Y();
  report::RunRecord& record = fit.record;
  record.seconds_total = clock.seconds();
  record.seconds_numerics = record.seconds_total;
  record.stopped_because = run.stopped_because();
  record.bcd_iterations = run.iterations();
  record.relative_error = run.relative_error();
  record.nmse = record.relative_error;
  record.disagreement = 0;
  return {};
}

void describe(Fit& fit) {
  report::RunRecord& record = fit.record;
  record.command = "NMF";
  record.title = "NMF";
  record.version = kVersion;
  record.seed = fit.seed;
  record.parameters = {{"rows", fmt::format("{}", fit.Z.rows())},
                       {"columns", fmt::format("{}", fit.Z.cols())},
                       {"rank", fmt::format("{}", fit.options.rank)},
                       {"solver", fit.options.solver == nmf::Solver::kAdmm ? "admm" : "fast"},
                       {"start", fit.options.X0.size() != 0 ? "custom" : "random"},
                       {"starts", fmt::format("{}", fit.options.starts)},
                       {"bcd", fmt::format("{}", fit.options.bcd)},
                       {"tolerance", fmt::format("{}", fit.options.tolerance)}};
}

py::dict factorize(const Array& samples, Index n_components, std::uint64_t seed, const std::string& solver, int starts,
                   const std::optional<Array>& first_components, int max_iter, double tol, const py::object& callback) {
  const Samples Z = columns_of(samples);
  const auto fit = std::make_shared<Fit>();
  {
    const py::gil_scoped_release unlocked;
    fit->Z = Z;
  }
  fit->options.rank = n_components;
  fit->options.solver = solver == "admm" ? nmf::Solver::kAdmm : nmf::Solver::kFast;
  fit->options.starts = starts;
  if (first_components) fit->options.X0 = columns_of(*first_components);
  fit->options.bcd = max_iter;
  fit->options.tolerance = tol;
  fit->seed = seed;
  describe(*fit);
  run_in_background([fit](Monitor& monitor) { return run(*fit, monitor); }, OnGivingUp::kLeaveIt,
                    listener_of(callback));
  Coordinates exact = exact_coordinates(fit->X, Z, fit->Y);

  py::dict result;
  fit->record.worst_agent_error = exact.squared_norm > 0 ? std::sqrt(exact.squared_error / exact.squared_norm) : 0;
  result["components"] = transposed(std::move(fit->X));
  result["coordinates"] = transposed(std::move(exact.Y));
  result["squared_error"] = exact.squared_error;
  result["squared_norm"] = exact.squared_norm;
  result["record"] = to_dict(fit->record);
  result["history"] = to_dict(fit->record.history);
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
             py::arg("solver"), py::arg("starts"), py::arg("first_components"), py::arg("max_iter"), py::arg("tol"),
             py::arg("callback") = py::none(), "One machine's factorisation, ended with exact coordinates.");
  module.def("coordinates", &coordinates, py::arg("components"), py::arg("samples"),
             "(coordinates, squared error, squared norm): the best nonnegative coordinates of samples in components.");
}

}  // namespace ppdnmf::python
