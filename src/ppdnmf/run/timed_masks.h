// How long parts of a run take: whatever estimates costs times them and multiplies.
#ifndef PPDNMF_RUN_TIMED_MASKS_H_
#define PPDNMF_RUN_TIMED_MASKS_H_

#include <cstddef>
#include <cstdint>

#include <ppdnmf/base/result.h>
#include <ppdnmf/run/timed_cipher.h>

namespace ppdnmf::run {

// Processor time of this process.
template <typename Work>
double seconds_of(Work&& work) {
  const double before = processor_seconds();
  work();
  return processor_seconds() - before;
}

// One agent's share of a masked sum of so many words: its masks, and its part in the tree.
struct Masks {
  double agree = 0;  // once
  double apply = 0;  // per sum
};
[[nodiscard]] Result<Masks> time_masks(std::uint32_t agents, std::size_t words);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_TIMED_MASKS_H_
