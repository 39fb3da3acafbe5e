// What an experiment is made of: the data, the algorithms, the number of trials.
#ifndef PPDNMF_APPS_EXPERIMENT_DATA_H_
#define PPDNMF_APPS_EXPERIMENT_DATA_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/ppdnmf/options.h"
#include <ppdnmf/base/digest.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/experiment/trial.h>
#include <ppdnmf/experiment/variant.h>

namespace ppdnmf::app {

struct ExperimentOptions {
  OutputOptions output;
  std::uint64_t seed = 1;
  int trials = 0;  // 0: the experiment's own number
  bool quick = false;
  std::size_t threads = 0;
  // faces and joining
  std::string data;
  std::string image;
  bool clip_negative = false;
  bool negative = false;  // photographic negatives
  Index rank = 0;         // 0: automatic
  std::uint32_t agents = 0;
};

struct ExperimentPlan {
  std::string name;  // synthetic, faces, joining
  std::string title;
  std::string columns_are;         // "faces"; for sentences
  std::vector<std::string> notes;  // sentences on the data and on what is left out
  bool stand_in = false;           // the data are not the paper's
  int trials = 1;
  int joining_trials = 0;
  std::vector<experiment::Variant> variants;  // empty: no curves
  int check_rounds = 0;                       // of the encrypted check; 0: none
  crypto::KeyOptions check_keys;
  std::optional<io::ImageShape> image;
  // Trial 0, 1, ...; trial t has seed + t.
  std::function<experiment::TrialProblem(int trial)> problem;
  Digest digest{};  // of all that decides the numbers: a checkpoint belongs to it
};

// Fail as load_inputs and columns_per_agent do, and with kUsage or kInvalidData for data that are no images.
[[nodiscard]] Result<ExperimentPlan> plan_synthetic(const ExperimentOptions& options);
[[nodiscard]] Result<ExperimentPlan> plan_faces(const ExperimentOptions& options);
[[nodiscard]] Result<ExperimentPlan> plan_joining(const ExperimentOptions& options);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_EXPERIMENT_DATA_H_
