// Three made hospitals: counts of mutations in tumours, made of signatures of which each hospital sees some too rarely.
#ifndef PPDNMF_EXPERIMENT_HOSPITAL_DATA_H_
#define PPDNMF_EXPERIMENT_HOSPITAL_DATA_H_

#include <cstdint>
#include <string>
#include <vector>

#include <ppdnmf/data/matrix.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::experiment {

// Fixed before any result was looked at with these data, and the same for every seed.
inline constexpr Index kHospitals = 3;
inline constexpr Index kTumours = 200;        // of each hospital
inline constexpr Index kSignatures = 4;       // the first is common everywhere, each hospital has one of the others
inline constexpr Index kTumoursCommon = 120;  // of a hospital's that have the first signature
inline constexpr Index kTumoursOwn = 100;     // that have its own
inline constexpr Index kTumoursSeldom = 2;    // that have the one of either other hospital
inline constexpr double kMutations = 100;     // of a tumour, about

// Nobody's data: everything follows from the seed. The rows are the 96 channels of single-base substitutions.
struct HospitalData {
  Matrix signatures;           // 96 x 4, columns with sum one
  Matrix counts;               // 96 x 600: Poisson counts, hospital by hospital
  std::vector<Index> columns;  // of each hospital
};
[[nodiscard]] HospitalData make_hospital_data(std::uint64_t seed);

// "A", "B", "C".
[[nodiscard]] std::string hospital_name(Index hospital);
// A hospital's columns with the names of rows and tumours; the signatures with theirs.
[[nodiscard]] io::Table hospital_table(const HospitalData& data, Index hospital);
[[nodiscard]] io::Table signature_table(const HospitalData& data);

}  // namespace ppdnmf::experiment

#endif  // PPDNMF_EXPERIMENT_HOSPITAL_DATA_H_
