// Nor formatted.
#include <fmt/core.h>

#include <ppdnmf/crypto/key.h>

std::string show(const ppdnmf::crypto::PrivateKey& key) {
#ifdef PPDNMF_MISUSE
  return fmt::format("{}", key);
#else
  return fmt::format("{}", key.public_key().bits());
#endif
}
