#include <ppdnmf/experiment/synthetic_data.h>

#include <ppdnmf/base/random.h>

namespace ppdnmf::experiment {
namespace {

constexpr Index kRows = 30;
constexpr Index kColumns = 200;
constexpr double kNoise = 0.01897366596101028;  // sqrt(3.6e-4)
constexpr std::uint8_t kSyntheticStream = 'S';

}  // namespace

SyntheticData make_synthetic_data(std::uint64_t seed, double mean_x, double mean_y) {
  Stream stream(Seed::from_number(seed), kSyntheticStream);
  const auto exponential = [&](Index rows, Index columns, double mean) {
    Matrix m(rows, columns);
    for (Index t = 0; t < m.size(); ++t) m.data()[t] = mean * stream.exponential();
    return m;
  };
  const Matrix X = exponential(kRows, kSyntheticRank, mean_x);
  SyntheticData data;
  data.clean = X * exponential(kSyntheticRank, kColumns, mean_y);
  data.Z = data.clean;
  for (Index t = 0; t < data.Z.size(); ++t) data.Z.data()[t] += kNoise * stream.normal();
  data.negative = (data.Z.array() < 0).count();
  data.Z = data.Z.cwiseMax(0);
  return data;
}

std::vector<Index> synthetic_columns() { return {4, 8, 12, 16, 20, 20, 24, 28, 28, 40}; }

}  // namespace ppdnmf::experiment
