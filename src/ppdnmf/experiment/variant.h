// The algorithms that the experiments put side by side.
#ifndef PPDNMF_EXPERIMENT_VARIANT_H_
#define PPDNMF_EXPERIMENT_VARIANT_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/factorize.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::experiment {

// What the paper chose for one set of data.
struct PaperParameters {
  double mu = 0;
  double eta = 0;
  double weight = 0;  // g
  int iterations = 100;
  int admm = 30;  // iterations of an X step (one round each) and of a Y step
};
inline constexpr PaperParameters kSyntheticParameters{0.1, 1, 0.033};
inline constexpr PaperParameters kFacesParameters{2, 2, 0.05};

enum class Kind : std::uint8_t {
  kCentralised,    // all data in one place, the paper's parameters
  kAsPrinted,      // the updates, the weights and the scheme of the paper to the letter, but for a random start
  kAsPrintedOnes,  // the same from the printed start, X = all ones
  kCorrected,      // the corrected updates with the paper's parameters
  kDefaults,       // what `simulate` does by default: 300 rounds, parameters found by the agents
  kSum,            // what `simulate --scheme sum` does by default: 50 rounds, one X for all
};

struct Variant {
  Kind kind = Kind::kCentralised;
  std::int64_t n_max = 1'000'000;  // no meaning for kCentralised and kSum
};
// Whether factors travel as round(n_max U).
[[nodiscard]] bool has_resolution(const Variant& variant);

// Every kind, the centralised one first; as printed and corrected for each resolution, the others for the largest.
[[nodiscard]] std::vector<Variant> all_variants(std::span<const std::int64_t> resolutions);

// "as_printed_1e3", for files and tables; powers of ten are written as such.
[[nodiscard]] std::string variant_name(const Variant& variant);
// "as printed, N_max = 10³", for people.
[[nodiscard]] std::string variant_label(const Variant& variant);

// What the agents of a network are told; validated. kCentralised has no network (checked). Fails as validate does.
[[nodiscard]] Result<protocol::RunSettings> network_settings(const Variant& variant, const PaperParameters& paper,
                                                             const Matrix& Z, Index rank, const protocol::Graph& graph);
// The baseline: as many iterations as the paper's, without a stopping rule.
[[nodiscard]] nmf::FactorizeOptions centralised_options(const PaperParameters& paper, Index rank);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_VARIANT_H_
