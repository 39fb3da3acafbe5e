// The library's errors as Python's exceptions. The only place of the project where exceptions are thrown.
#ifndef PPDNMF_PYTHON_ERRORS_H_
#define PPDNMF_PYTHON_ERRORS_H_

#include <utility>

#include <ppdnmf/base/result.h>

namespace ppdnmf::python {

// Throws what Python shows as ValueError (kUsage, kInvalidData, kPeer), KeyboardInterrupt (kInterrupted), OSError
// (kFile) or RuntimeError (all others), with the error's sentence. Needs the interpreter's lock.
[[noreturn]] void raise(const Error& error);

inline void require(const Status& status) {
  if (!status) raise(status.error());
}

template <typename T>
[[nodiscard]] T require(Result<T> result) {
  if (!result) raise(result.error());
  return *std::move(result);
}

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_ERRORS_H_
