// Many trials as numbers: means and bands per iteration, and where each algorithm ended. Pure functions.
#ifndef PPDNMF_EXPERIMENT_SUMMARY_H_
#define PPDNMF_EXPERIMENT_SUMMARY_H_

#include <string>
#include <vector>

#include <ppdnmf/experiment/trial.h>
#include <ppdnmf/experiment/variant.h>

namespace ppdnmf::experiment {

// Over trials. Low and high are the 10 % and the 90 % quantile (nearest rank).
struct Band {
  double mean = 0;
  double low = 0;
  double high = 0;
};
// Of at least one number (checked). Not a number if one of them is not.
[[nodiscard]] Band band_of(std::vector<double> values);

struct SummaryPoint {
  int iteration = 0;
  double rounds = 0;  // mean
  Band nmse, relative_error, disagreement;
  Band worst_agent_error;  // not a number where it was not measured
};

struct VariantSummary {
  Variant variant;
  std::vector<SummaryPoint> curve;
  SummaryPoint end;  // of every trial's last iteration
  Band ratio;        // worst_agent_error over the centralised one of the same trial
};

// `outcomes[t]` is trial t of `variant`; `centralised[t]` the same trial in one place. A run that ended earlier than
// others keeps its last numbers: its factors are what they are.
[[nodiscard]] VariantSummary summarize(const Variant& variant, const std::vector<TrialOutcome>& outcomes,
                                       const std::vector<TrialOutcome>& centralised);

// One line per variant: name, N_max (empty where it has no meaning), trials, rounds, and mean, low and high of every
// measure at the end.
[[nodiscard]] std::string summary_csv(const std::vector<VariantSummary>& summaries, std::size_t trials);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_SUMMARY_H_
