// Nor formatted.
#include <fmt/core.h>

#include "crypto/key.h"

std::string show(const ppdnmf::PrivateKey& key) {
#ifdef PPDNMF_MISUSE
  return fmt::format("{}", key);
#else
  return fmt::format("{}", key.public_key().bits());
#endif
}
