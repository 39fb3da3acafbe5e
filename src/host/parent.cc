#include "host/parent.h"

#include <sys/prctl.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace ppdnmf {

Status end_with_parent() {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0) return {};
  return error(ErrorCode::kInternal, "the parent's end cannot be waited for: {}",
               std::generic_category().message(errno));
}

}  // namespace ppdnmf
