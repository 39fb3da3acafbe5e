#ifndef PPDNMF_HOST_PARENT_H_
#define PPDNMF_HOST_PARENT_H_

#include "base/result.h"

namespace ppdnmf {

// From now on this process is killed when the one that started it ends. If that one has ended before, it may go
// unnoticed here: a child that also writes to its parent's pipe learns it from EPIPE. Fails with kInternal.
[[nodiscard]] Status end_with_parent();

}  // namespace ppdnmf

#endif  // PPDNMF_HOST_PARENT_H_
