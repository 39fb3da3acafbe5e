// Two lanes to a register: what every processor of the platform has.
#define PPDNMF_LANE_WIDTH 2
#include "nmf/internal/lane_kernels.inl"

namespace ppdnmf::internal {

const LaneFunctions* baseline_lanes() { return &kFunctions; }

}  // namespace ppdnmf::internal
