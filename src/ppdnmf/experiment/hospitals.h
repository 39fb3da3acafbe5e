// What three made hospitals find alone, together, pooled and in a private run, beside the signatures that were put into
// their data. Pure and deterministic.
#ifndef PPDNMF_EXPERIMENT_HOSPITALS_H_
#define PPDNMF_EXPERIMENT_HOSPITALS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/experiment/hospital_data.h>

namespace ppdnmf::experiment {

// A signature counts as found if something that was found has at least this cosine with it.
inline constexpr double kFound = 0.9;
// The budget that a run between organisations has unless somebody says otherwise.
inline constexpr double kDemoEpsilon = 4;
inline constexpr double kDemoDelta = 1e-6;

// Somebody's components, each beside the signature that it is paired with (nmf/matching.h).
struct Findings {
  Matrix X;                     // column k is paired with signature k
  std::vector<double> cosines;  // with signature k
  [[nodiscard]] int found() const;
  [[nodiscard]] double mean_cosine() const;
};

struct HospitalsOutcome {
  std::uint64_t seed = 0;
  Matrix signatures;
  std::array<Findings, kHospitals> alone;
  Findings together;         // masked sums; every hospital ends with this X
  Findings pooled;           // one machine that holds all columns
  Findings privately;        // a differentially private run
  double agreement = 0;      // the smallest cosine between a component of `together` and the same of `pooled`
  std::uint64_t sums = 0;    // masked sums of `together`
  std::uint64_t bytes = 0;   // that all hospitals sent for them
  double right_guesses = 0;  // the part of guesses about a tumour that a private run's openings allow at most
};

// Everybody looks for as many components as there are signatures: the exact ones under the Poisson loss with the same
// number of starts, the private one as the plan for its budget says. The executor's threads change no byte. Fails as
// Factorization and Simulation do.
[[nodiscard]] Result<HospitalsOutcome> run_hospitals(const HospitalData& data, std::uint64_t seed, Executor& executor);

// Four sentences: alone, together, pooled, private. Each says what its numbers bear out and nothing else.
[[nodiscard]] std::array<std::string, 4> hospital_sentences(const HospitalsOutcome& outcome);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_HOSPITALS_H_
