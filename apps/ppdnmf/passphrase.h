// A passphrase from a terminal or a file descriptor; never from an argument, which other users of the machine could
// read.
#ifndef PPDNMF_APPS_PASSPHRASE_H_
#define PPDNMF_APPS_PASSPHRASE_H_

#include <string>

#include "base/result.h"
#include "identity/sealing.h"

namespace ppdnmf {

// Asks on the terminal, without showing what is typed; twice if `repeat`. Fails with kUsage without a terminal, on an
// empty passphrase or two different ones, and with kInterrupted on Ctrl-C.
[[nodiscard]] Result<Passphrase> ask_passphrase(const std::string& question, bool repeat);

// The first line that can be read from an open descriptor. Fails with kUsage.
[[nodiscard]] Result<Passphrase> read_passphrase(int descriptor);

}  // namespace ppdnmf

#endif  // PPDNMF_APPS_PASSPHRASE_H_
