// A private run's entry in its owner's ledger (identity/ledger_file.h).
#ifndef PPDNMF_SITE_DEBIT_H_
#define PPDNMF_SITE_DEBIT_H_

#include <filesystem>
#include <optional>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/site/daemon.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::site {

struct Debit {
  std::filesystem::path ledger;
  std::string data_name;
  std::string run;  // the same in every process of a run, another one in every other run
  double rho = 0;

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

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_DEBIT_H_
