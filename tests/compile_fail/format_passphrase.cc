// A passphrase cannot be formatted.
#include <fmt/core.h>

#include <ppdnmf/identity/sealing.h>

std::string show(const ppdnmf::identity::Passphrase& passphrase) {
#ifdef PPDNMF_MISUSE
  return fmt::format("{}", passphrase);
#else
  return fmt::format("{} bytes", passphrase.bytes.size());
#endif
}
