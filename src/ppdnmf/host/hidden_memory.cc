#include <ppdnmf/host/hidden_memory.h>

#include <sys/prctl.h>
#include <sys/resource.h>

namespace ppdnmf::host {

void hide_memory() {
  const rlimit none{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &none);
  (void)::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace ppdnmf::host
