// A passphrase from a terminal or a file descriptor; never from an argument, which other users of the machine could
// read.
#ifndef PPDNMF_APPS_PASSPHRASE_H_
#define PPDNMF_APPS_PASSPHRASE_H_

#include <filesystem>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/renewal.h>
#include <ppdnmf/identity/sealing.h>

namespace ppdnmf::app {

// Asks on the terminal, without showing what is typed; twice if `repeat`. Fails with kUsage without a terminal, on an
// empty passphrase or two different ones, and with kInterrupted on Ctrl-C.
[[nodiscard]] Result<identity::Passphrase> ask_passphrase(const std::string& question, bool repeat);

// The first line that can be read from an open descriptor. Fails with kUsage.
[[nodiscard]] Result<identity::Passphrase> read_passphrase(int descriptor);

// Of a .key file: from the descriptor, if there is one, or the terminal. Fails as the two above do.
[[nodiscard]] Result<identity::Passphrase> passphrase_for(const std::filesystem::path& file,
                                                          std::optional<int> descriptor);

// The identities in a .key file, with the passphrase above if it is sealed. Fails as site::open_keys does.
[[nodiscard]] Result<identity::KeyRing> open_keys(const std::filesystem::path& file, std::optional<int> descriptor);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_PASSPHRASE_H_
