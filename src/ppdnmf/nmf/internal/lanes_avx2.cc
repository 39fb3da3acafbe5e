// Four lanes to a register. Compiled for AVX2; lanes.cc asks the processor before using it.
#if defined(__AVX2__)
#define PPDNMF_LANE_WIDTH 4
#include <ppdnmf/nmf/internal/lane_kernels.inl>
#else
#include <ppdnmf/nmf/internal/lane_functions.h>
#endif

namespace ppdnmf::nmf::internal {

#if defined(__AVX2__)
const ColumnLanes* avx2_lanes() { return &kFunctions; }
#else
const ColumnLanes* avx2_lanes() { return nullptr; }
#endif

}  // namespace ppdnmf::nmf::internal
