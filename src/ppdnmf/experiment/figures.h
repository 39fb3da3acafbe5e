// The figures of the experiments, with sentences made of the numbers that were found. Pure functions.
#ifndef PPDNMF_EXPERIMENT_FIGURES_H_
#define PPDNMF_EXPERIMENT_FIGURES_H_

#include <string>
#include <vector>

#include <ppdnmf/experiment/exhibit.h>
#include <ppdnmf/experiment/joining.h>
#include <ppdnmf/experiment/summary.h>

namespace ppdnmf::experiment {

// The paper's figure 1a or 1b and what it does not show: NMSE as printed and corrected, disagreement, an agent's X on
// everybody's data, and the same over rounds. `summaries` has every kind (checked).
[[nodiscard]] std::vector<Exhibit> curve_exhibits(const std::vector<VariantSummary>& summaries);

// What the curves come to, in a sentence or two.
[[nodiscard]] std::string curve_verdict(const std::vector<VariantSummary>& summaries);

// One variant's pictures of the first trial.
struct Portrait {
  Variant variant;
  TrialOutcome outcome;  // with pictures
};
// The paper's figure 1c, and the learned bases. `Z` are the originals, images of `shape`.
[[nodiscard]] std::vector<Exhibit> picture_exhibits(const Matrix& Z, io::ImageShape shape,
                                                    const std::vector<Portrait>& portraits);

// `data` says what the columns are, as "faces".
[[nodiscard]] Exhibit joining_exhibit(const std::vector<JoiningOutcome>& outcomes, Index rank, const std::string& data);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_FIGURES_H_
