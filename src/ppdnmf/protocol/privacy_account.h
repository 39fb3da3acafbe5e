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

// The noise that keeps the budget over settings.iterations rounds of `agents` agents; scheme, rows, rank and iterations
// of the settings are set. With moments the first iteration is the opening. Fails with kUsage as plan_noise and
// plan_moments do.
[[nodiscard]] Result<PrivacySettings> plan_privacy(const PrivacyWish& wish, const RunSettings& settings,
                                                   std::uint32_t agents);

// What the account says: epsilon, how it is spent, what it means for one column, and for several; what one more
// dishonest agent and one replaced column make of it. `persons`: columns of one person share the bound of one column
// (data/persons.h), so that it is persons of whom the account speaks.
[[nodiscard]] std::vector<std::string> account_notes(const PrivacySettings& privacy, bool persons = false);

// Of one column replaced by another in place of one added or removed. Parts of two columns in totals over nonnegative
// numbers have no negative product, so that their difference is at most sqrt 2 of the bound; within a span, twice.
[[nodiscard]] privacy::Cost cost_of_replacing(const PrivacySettings& privacy);

// If one of the honest agents is dishonest after all; nothing if there is only one.
[[nodiscard]] std::optional<privacy::Cost> cost_with_one_more(const PrivacySettings& privacy);

// Why a private run is one of exchanges or of moments, in a sentence.
[[nodiscard]] std::string way_note(const RunSettings& settings, std::uint32_t agents);

// For run.json, by name: what follows from the settings.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> privacy_parameters(const PrivacySettings& privacy);

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_PRIVACY_ACCOUNT_H_
