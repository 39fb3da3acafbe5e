// Eight lanes to a register. Compiled for AVX-512; lanes.cc asks the processor before using it.
#if defined(__AVX512F__)
#define PPDNMF_LANE_WIDTH 8
#include <ppdnmf/nmf/internal/lane_kernels.inl>
#else
#include <ppdnmf/nmf/internal/lane_functions.h>
#endif

namespace ppdnmf::nmf::internal {

#if defined(__AVX512F__)
const ColumnLanes* avx512_lanes() { return &kFunctions; }
#else
const ColumnLanes* avx512_lanes() { return nullptr; }
#endif

}  // namespace ppdnmf::nmf::internal
