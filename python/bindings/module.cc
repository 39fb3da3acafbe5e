#include <pybind11/pybind11.h>

#include "background.h"
#include "bind.h"
#include "version.h"

namespace py = pybind11;

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ library behind the package ppdnmf. Its functions check little: use the package.";
  module.attr("__version__") = ppdnmf::kVersion;
  ppdnmf::python::bind_agent(module);
  ppdnmf::python::bind_exposures(module);
  ppdnmf::python::bind_factorize(module);
  ppdnmf::python::bind_network(module);
  ppdnmf::python::bind_paillier(module);
  ppdnmf::python::bind_report(module);
  ppdnmf::python::bind_settings(module);

  // Threads must be gone before the process takes down what they use.
  py::module_::import("atexit").attr("register")(py::cpp_function(&ppdnmf::python::wait_for_left_work));
}
