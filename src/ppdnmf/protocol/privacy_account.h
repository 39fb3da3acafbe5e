// A private run's settings from what its members want, and what they promise, in numbers and sentences
// (docs/privacy.md). Pure functions.
#ifndef PPDNMF_PROTOCOL_PRIVACY_ACCOUNT_H_
#define PPDNMF_PROTOCOL_PRIVACY_ACCOUNT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol {

struct PrivacyWish {
  privacy::Budget budget;
  nmf::ColumnNorm normalise = nmf::ColumnNorm::kL2;
  std::optional<std::uint32_t> honest;  // all but one; one, if there is only one
  double columns = 0;                   // at least 1 (checked)
};

// The noise that keeps the budget over settings.iterations rounds of `agents` agents; rows, rank and iterations of the
// settings are set. Fails with kUsage as plan_noise does.
[[nodiscard]] Result<PrivacySettings> plan_privacy(const PrivacyWish& wish, const RunSettings& settings,
                                                   std::uint32_t agents);

// What the account says: epsilon, what it means for one column, and for several. `persons`: columns of one person share
// the bound of one column (data/persons.h), so that it is persons of whom the account speaks.
[[nodiscard]] std::vector<std::string> account_notes(const PrivacySettings& privacy, bool persons = false);

// For run.json, by name: what follows from the settings.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> privacy_parameters(const PrivacySettings& privacy);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_PRIVACY_ACCOUNT_H_
