// Which instruction set the descent's inner loops use. All give the same numbers to the bit.
#ifndef PPDNMF_NMF_LANES_H_
#define PPDNMF_NMF_LANES_H_

#include <string_view>

#include <ppdnmf/base/result.h>

namespace ppdnmf::nmf {

namespace internal {
struct ColumnLanes;
}

enum class Lanes {
  kAutomatic,  // what PPDNMF_LANES=baseline|avx2|avx512 says, else the widest that this processor can run
  kBaseline,
  kAvx2,
  kAvx512,
};

// Fails with kUsage if PPDNMF_LANES says something else, or if what is asked for, by argument or environment, is not
// available here. Whoever starts a run asks this first and shows the sentence.
[[nodiscard]] Result<Lanes> choose_lanes(Lanes wanted);
[[nodiscard]] bool lanes_available(Lanes lanes);
[[nodiscard]] std::string_view lanes_name(Lanes lanes);

// The inner loops of choose_lanes(kAutomatic); where that fails, those of the widest available.
[[nodiscard]] const internal::ColumnLanes& automatic_lanes();

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_LANES_H_
