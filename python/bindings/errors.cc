#include "errors.h"

#include <pybind11/pybind11.h>

#include "settings.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

PyObject* exception_for(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
    case ErrorCode::kInvalidData:
    case ErrorCode::kPeer:  // what a peer sent has come as an argument
      return PyExc_ValueError;
    case ErrorCode::kInterrupted:
      return PyExc_KeyboardInterrupt;
    case ErrorCode::kFile:
      return PyExc_OSError;
    case ErrorCode::kNumeric:
    case ErrorCode::kUnheard:
    case ErrorCode::kInternal:
      break;
  }
  return PyExc_RuntimeError;
}

}  // namespace

void raise(const Error& error) {
  PyErr_SetString(exception_for(error.code), in_arguments(error.message).c_str());
  throw py::error_already_set();
}

}  // namespace ppdnmf::python
