// Which way of spending a budget on a run gives the better X, from public numbers alone (docs/privacy.md).
#ifndef PPDNMF_PRIVACY_CHOICE_H_
#define PPDNMF_PRIVACY_CHOICE_H_

#include <string>

#include <ppdnmf/privacy/plan.h>

namespace ppdnmf::privacy {

struct Choice {
  bool moments = false;  // one opening of second moments; else exchanges
  double part = 1;       // of the budget, for the opening
  int rounds = 0;        // in the found span, after the opening
  std::string because;   // one sentence, as "...: ..."
};

// The rule was found by measuring (bench/privacy.py). Of the request it looks at rows, rank, columns, budget and
// agents; the budget has passed check_budget.
[[nodiscard]] Choice choose_way(const PlanRequest& request);

// How much of the budget the opening gets where `rounds` rounds follow it.
[[nodiscard]] double part_of_opening(int rounds);

}  // namespace ppdnmf::privacy

#endif  // PPDNMF_PRIVACY_CHOICE_H_
