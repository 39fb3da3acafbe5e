#include <ppdnmf/net/internal/operation.h>

namespace ppdnmf::net {

// The checks are not in the header: the name that a header has in them depends on how the compiler was told of its
// folder, and with it the program's bytes.
Operation::~Operation() { PPDNMF_CHECK(!pending_); }

void* Operation::begin() {
  PPDNMF_CHECK(!pending_);
  pending_ = true;
  return this;
}

}  // namespace ppdnmf::net
