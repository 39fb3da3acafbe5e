// A private run's entry in its owner's ledger (identity/ledger_file.h).
#ifndef PPDNMF_SITE_DEBIT_H_
#define PPDNMF_SITE_DEBIT_H_

#include <filesystem>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/identity/ledger_file.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/site/daemon.h>

namespace ppdnmf::site {

struct Debit {
  std::filesystem::path ledger;
  std::string data_name;
  std::string run;  // the same in every process of a run, another one in every other run
  double rho = 0;
  identity::LedgerColumns columns;  // of the daemon's data, which outlive this

  // Whether the ledger would take it; nothing is written. Fails as check_ledger does.
  [[nodiscard]] Status check() const;
  // Durable when it returns, once however often it is asked. Fails as debit_ledger does.
  [[nodiscard]] Status take() const;
};

// What this member has to debit before it says anything; nothing unless the run is private. A run that is to be thrown
// away has nothing to protect: its launcher debits it. `nonce`: the member's own in the roll call, which is saved
// before it is said. Fails with kUsage if a private run is not told the data's name, or another run is told one.
[[nodiscard]] Result<std::optional<Debit>> debit_of(const DaemonConfig& config, const protocol::RunSettings& settings,
                                                    const crypto::IdentityBytes& nonce);

// Whether these columns may be in a run that opens exact totals: not if they have been in private ones, whose budget
// they were promised, unless the owner says so (exact_anyway); then a warning for the record. Nothing is asked where
// there is no ledger. Fails with kUsage, also if a private run is told exact_anyway, and as known_columns does.
[[nodiscard]] Result<std::vector<std::string>> check_exact_run(const DaemonConfig& config);

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_DEBIT_H_
