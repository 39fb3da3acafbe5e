// Eight lanes to a register. Compiled for AVX-512; lanes.cc asks the processor before using it.
#if defined(__AVX512F__)
#define PPDNMF_LANE_WIDTH 8
#include "nmf/internal/lane_kernels.inl"
#else
#include "nmf/internal/lane_functions.h"
#endif

namespace ppdnmf::internal {

#if defined(__AVX512F__)
const LaneFunctions* avx512_lanes() { return &kFunctions; }
#else
const LaneFunctions* avx512_lanes() { return nullptr; }
#endif

}  // namespace ppdnmf::internal
