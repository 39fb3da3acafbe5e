// What the extension module `ppdnmf._core` consists of, one function per file.
#ifndef PPDNMF_PYTHON_BIND_H_
#define PPDNMF_PYTHON_BIND_H_

#include <pybind11/pybind11.h>

namespace ppdnmf::python {

void bind_agent(pybind11::module_& module);
void bind_exposures(pybind11::module_& module);
void bind_factorize(pybind11::module_& module);
void bind_network(pybind11::module_& module);
void bind_paillier(pybind11::module_& module);
void bind_report(pybind11::module_& module);
void bind_settings(pybind11::module_& module);

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_BIND_H_
