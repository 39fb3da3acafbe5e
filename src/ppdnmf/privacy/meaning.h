// What a private run's account means for one column, in numbers and in a sentence.
//
// Every round opens totals with Gaussian noise, so whoever sees all of them, and knows everything else, has to tell
// N(0, 1) from N(mu, 1) at best, mu = sqrt(2 rho): the squares of the rounds' mu add up, even when each round
// depends on what those before it opened (Dong, Roth and Su, "Gaussian Differential Privacy", 2022). Noise is discrete,
// but in units so small that no digit shown here changes (docs/privacy.md). Pure functions; arguments are finite and in
// range (checked).
#ifndef PPDNMF_PRIVACY_MEANING_H_
#define PPDNMF_PRIVACY_MEANING_H_

#include <string>
#include <string_view>

#include <ppdnmf/privacy/account.h>

namespace ppdnmf::privacy {

// The largest area under the curve that any score for "this column is among the data" can have:
// Phi(mu / sqrt(2)) = Phi(sqrt(rho)). rho >= 0.
[[nodiscard]] double largest_auc(double rho);
// Of guesses at even odds, the largest part that can be right: Phi(mu / 2).
[[nodiscard]] double largest_right(double rho);

// The same for any mechanism that keeps the budget, Gaussian or not; larger: 1 - (1 - delta)² / (1 + e^epsilon) and
// 1 - (1 - delta) / (1 + e^epsilon).
[[nodiscard]] double largest_auc(const Budget& budget);
[[nodiscard]] double largest_right(const Budget& budget);

// One sentence for one column in the data, or one person, with these numbers rounded up.
[[nodiscard]] std::string meaning_of(double rho, std::string_view who = "column");

}  // namespace ppdnmf::privacy

#endif  // PPDNMF_PRIVACY_MEANING_H_
