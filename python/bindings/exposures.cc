#include <ppdnmf/nmf/exposures.h>

#include <pybind11/pybind11.h>

#include <utility>

#include "arrays.h"
#include "background.h"
#include "bind.h"
#include "coordinates.h"
#include <ppdnmf/host/thread_pool.h>

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

py::dict measures_dict(const nmf::ExposureMeasures& measures) {
  py::dict out;
  out["active_median"] = measures.active_median;
  out["active_mean"] = measures.active_mean;
  out["cosine_median"] = measures.cosine_median;
  out["cosine_5th_percentile"] = measures.cosine_low;
  return out;
}

py::dict exposures(const Array& components, const SampleInput& samples, std::size_t threads,
                   const std::string& beta_loss, double prune, int intervals, std::uint64_t seed) {
  const Matrix X = columns_of(components);
  const bool poisson = beta_loss == "kullback-leibler";
  Coordinates exact = poisson ? best_coordinates(X, SampleColumns(samples), {.kind = nmf::LossKind::kPoisson}, threads)
                              : exact_coordinates(X, SampleColumns(samples), threads);
  const SampleColumns Z(samples);
  nmf::Exposures out;
  const auto work = [&](Monitor& /*monitor*/) -> Status {
    host::ThreadPool pool(host::threads_or_all(threads));
    const nmf::LossKind loss = poisson ? nmf::LossKind::kPoisson : nmf::LossKind::kSquares;
    Matrix space;
    out = nmf::work_out(loss, X, Z.all(space), exact.Y, {prune, intervals}, Seed::from_number(seed), pool);
    return {};
  };
  run_in_background(work, OnGivingUp::kWaitForIt);
  py::dict result;
  result["coordinates"] = transposed(std::move(exact.Y));
  result["low"] = intervals > 0 ? py::object(transposed(std::move(out.intervals.low))) : py::none();
  result["high"] = intervals > 0 ? py::object(transposed(std::move(out.intervals.high))) : py::none();
  result["measures"] = measures_dict(nmf::measures_of(out.now));
  result["before"] = prune > 0 ? py::object(measures_dict(nmf::measures_of(out.before))) : py::none();
  return result;
}

}  // namespace

void bind_exposures(py::module_& module) {
  module.def("exposures", &exposures, py::arg("components"), py::arg("samples"), py::kw_only(), py::arg("threads"),
             py::arg("beta_loss"), py::arg("prune"), py::arg("intervals"), py::arg("seed"),
             "Coordinates of samples, without components that do not pay, with intervals.");
}

}  // namespace ppdnmf::python
