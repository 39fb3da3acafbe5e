// The ledger of privacy budgets (privacy/ledger.h) as a file beside an identity's.
#ifndef PPDNMF_IDENTITY_LEDGER_FILE_H_
#define PPDNMF_IDENTITY_LEDGER_FILE_H_

#include <filesystem>
#include <string>

#include <ppdnmf/base/result.h>

namespace ppdnmf::identity {

// Debits a run before its first message: when this has returned, the debit is durable. Processes that debit at the same
// time wait for each other. Fails as read_file, Ledger::parse, Ledger::debit and write_file do, the path in front; the
// file is then as it was, and the run must not begin.
// `check_ledger` says whether it would, and leaves the file as it is.
[[nodiscard]] Status debit_ledger(const std::filesystem::path& path, const std::string& name, const std::string& run,
                                  double rho);
[[nodiscard]] Status check_ledger(const std::filesystem::path& path, const std::string& name, const std::string& run,
                                  double rho);

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_LEDGER_FILE_H_
