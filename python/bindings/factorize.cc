#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <map>
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
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/weights.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/protocol/settings_table.h>
#include <ppdnmf/run/factorize_run.h>

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

nmf::LossKind loss_named(const std::string& name) {
  return name == "kullback-leibler" ? nmf::LossKind::kPoisson : nmf::LossKind::kSquares;
}

// Everything a fit touches while it runs: it may outlive its caller.
struct Fit {
  run::FactorizeRequest request;
  Matrix Z;
  data::SharedColumns columns;  // of Z, or lent by the caller
  std::vector<double> weights;
  run::FactorizeOutcome outcome;
};

Status run_fit(Fit& fit, Monitor& monitor) {
  host::ThreadPool pool(host::threads_or_all(fit.request.options.threads));
  PPDNMF_TRY(fit.outcome, run::run_factorization(fit.request, data::with_weights(fit.columns, fit.weights), pool,
                                                 hooks_of(monitor)));
  fit.columns = nullptr;
  fit.Z = Matrix();  // the exact coordinates read the caller's samples, and may need as much memory again
  return {};
}

py::dict factorize(const SampleInput& samples, Index n_components, std::uint64_t seed, const std::string& solver,
                   const std::string& beta_loss, const std::map<std::string, double>& penalties, int starts,
                   const std::optional<Array>& first_components, const std::optional<Array>& known,
                   const std::vector<std::string>& known_names, int max_iter, double tol, std::size_t threads,
                   const py::object& callback, const std::optional<std::string>& normalise,
                   const std::optional<double>& cap, std::vector<double> weights) {
  const SampleColumns Z(samples);
  const auto fit = std::make_shared<Fit>();
  {
    const py::gil_scoped_release unlocked;
    fit->columns = Z.all(fit->Z);
  }
  fit->request.caller = {"NMF", "NMF", kVersion};
  fit->request.options.seed = seed;
  fit->request.options.threads = threads;
  nmf::FactorizeOptions& options = fit->request.solver;
  options.rank = n_components;
  options.solver = solver == "admm" ? nmf::Solver::kAdmm : nmf::Solver::kFast;
  options.loss = loss_named(beta_loss);
  protocol::Settings& settings = fit->request.options.settings;
  settings.loss = options.loss;
  if (normalise) settings.normalise = *normalise == "l1" ? nmf::ColumnNorm::kL1 : nmf::ColumnNorm::kL2;
  settings.cap = cap;
  fit->weights = std::move(weights);
  for (const auto& [name, value] : penalties) protocol::find_setting(name)->set(settings, value);
  options.penalties = protocol::penalties_of(settings);
  if (known) options.known = known_columns(*known, known_names);
  options.starts = starts;
  if (first_components) options.X0 = columns_of(*first_components);
  options.iterations = max_iter;
  options.tolerance = tol;
  // What the caller lends must not go before the fit has ended.
  run_in_background([fit](Monitor& monitor) { return run_fit(*fit, monitor); },
                    Z.is_sparse() ? OnGivingUp::kWaitForIt : OnGivingUp::kLeaveIt, listener_of(callback));
  run::FactorizeOutcome& outcome = fit->outcome;
  const bool poisson = options.loss == nmf::LossKind::kPoisson;
  Coordinates exact =
      poisson || options.penalties.any()
          ? best_coordinates(outcome.X, Z, {.kind = options.loss, .penalties = options.penalties}, threads)
          : exact_coordinates(outcome.X, Z, threads, outcome.Y, outcome.shrink);

  py::dict result;
  outcome.record.worst_agent_error = exact.squared_norm > 0 ? std::sqrt(exact.squared_error / exact.squared_norm) : 0;
  result["components"] = transposed(std::move(outcome.X));
  if (outcome.shrink.size() > 0) result["shrink"] = transposed(std::move(outcome.shrink));
  result["coordinates"] = transposed(std::move(exact.Y));
  result["squared_error"] = exact.squared_error;
  if (poisson) result["divergence"] = exact.divergence;
  result["squared_norm"] = exact.squared_norm;
  result["record"] = to_dict(outcome.record);
  result["history"] = to_dict(outcome.record.history);
  return result;
}

py::tuple coordinates(const Array& components, const SampleInput& samples, std::size_t threads,
                      const std::string& beta_loss, double l1, double l2, const std::optional<Array>& shrink) {
  const Matrix X = columns_of(components);
  const nmf::LossOptions loss{.kind = loss_named(beta_loss), .penalties = {.l1_y = l1, .l2_y = l2}};
  Coordinates exact =
      loss.kind == nmf::LossKind::kPoisson || loss.penalties.any()
          ? best_coordinates(X, SampleColumns(samples), loss, threads)
          : exact_coordinates(X, SampleColumns(samples), threads, {}, shrink ? columns_of(*shrink) : Matrix());
  return py::make_tuple(transposed(std::move(exact.Y)), exact.squared_error, exact.squared_norm);
}

double divergence(const Array& components, const SampleInput& samples, const Array& coordinates) {
  const Matrix X = columns_of(components);
  const SampleColumns Z(samples);
  const Matrix Y = columns_of(coordinates);
  const py::gil_scoped_release unlocked;
  Matrix space;
  return nmf::divergence_of(X, *Z.all(space), Y);
}

}  // namespace

void bind_factorize(py::module_& module) {
  py::class_<SparseSamples, std::shared_ptr<SparseSamples>>(module, "SparseSamples",
                                                            "Samples lent by their nonzero entries, as csr has them.")
      .def(py::init<const py::array_t<std::int64_t>&, py::array_t<int>, Array, Index>(), py::arg("indptr"),
           py::arg("indices"), py::arg("data"), py::arg("n_features"));
  module.def("factorize", &factorize, py::arg("samples"), py::kw_only(), py::arg("n_components"), py::arg("seed"),
             py::arg("solver"), py::arg("beta_loss"), py::arg("penalties"), py::arg("starts"),
             py::arg("first_components"), py::arg("known"), py::arg("known_names"), py::arg("max_iter"), py::arg("tol"),
             py::arg("threads"), py::arg("callback") = py::none(), py::arg("normalise") = py::none(),
             py::arg("cap") = py::none(), py::arg("weights") = std::vector<double>(),
             "One machine's factorisation, ended with exact coordinates.");
  module.def("coordinates", &coordinates, py::arg("components"), py::arg("samples"), py::kw_only(), py::arg("threads"),
             py::arg("beta_loss") = "frobenius", py::arg("l1") = 0.0, py::arg("l2") = 0.0,
             py::arg("shrink") = py::none(),
             "(coordinates, squared error, squared norm): the best nonnegative coordinates of samples in components.");
  module.def("divergence", &divergence, py::arg("components"), py::arg("samples"), py::arg("coordinates"),
             "The generalised Kullback-Leibler divergence of coordinates @ components from samples.");
}

}  // namespace ppdnmf::python
