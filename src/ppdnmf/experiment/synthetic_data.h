// The paper's synthetic data (its section IV), for the experiment and the tests.
#ifndef PPDNMF_EXPERIMENT_SYNTHETIC_DATA_H_
#define PPDNMF_EXPERIMENT_SYNTHETIC_DATA_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/data/matrix.h>

namespace ppdnmf::experiment {

inline constexpr Index kSyntheticRank = 5;

struct SyntheticData {
  Matrix clean;        // X Y, 30 x 200
  Matrix Z;            // with the noise, negative entries set to zero
  Index negative = 0;  // how many the noise made so: about one in a hundred
};

// X (30 x 5) and Y (5 x 200) exponential with the given means, Gaussian noise of variance 3.6e-4. The paper calls 0.033
// and 0.8 "parameters"; only as means do they give its signal-to-noise ratio (docs/mathematics.md).
[[nodiscard]] SyntheticData make_synthetic_data(std::uint64_t seed, double mean_x = 0.033, double mean_y = 0.8);

// Columns of each of the ten agents: four to forty, 200 in all.
[[nodiscard]] std::vector<Index> synthetic_columns();

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_SYNTHETIC_DATA_H_
