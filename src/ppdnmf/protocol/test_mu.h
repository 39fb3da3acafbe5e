// How far apart runs with and without a column look to an attacker, for tests of the account.
#ifndef PPDNMF_PROTOCOL_TEST_MU_H_
#define PPDNMF_PROTOCOL_TEST_MU_H_

#include <cmath>
#include <cstdint>
#include <functional>

namespace ppdnmf::protocol {

// A lower bound on mu that is wrong once in a thousand times: the means of 500 runs with and 500 without the column.
// `seen(seed, present)` is what the attacker makes of one run.
inline double least_mu(const std::function<double(std::uint64_t seed, bool present)>& seen) {
  constexpr int kRuns = 500;
  double sum = 0;
  double squares = 0;
  double difference = 0;
  for (int n = 0; n < 2 * kRuns; ++n) {
    const bool present = n % 2 == 1;
    const double value = seen(1000 + static_cast<std::uint64_t>(n), present);
    difference += (present ? 1 : -1) * value / kRuns;
    if (!present) {
      sum += value;
      squares += value * value;
    }
  }
  const double mean = sum / kRuns;
  const double deviation = std::sqrt(squares / kRuns - mean * mean);
  constexpr double kQuantile = 3.09;
  return difference / deviation - kQuantile * std::sqrt(2.0 / kRuns);
}

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_TEST_MU_H_
