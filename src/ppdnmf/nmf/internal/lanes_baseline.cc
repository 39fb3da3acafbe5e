// Two lanes to a register: what every processor of the platform has.
#define PPDNMF_LANE_WIDTH 2
#include <ppdnmf/nmf/internal/lane_kernels.inl>

namespace ppdnmf::nmf::internal {

const ColumnLanes* baseline_lanes() { return &kFunctions; }

}  // namespace ppdnmf::nmf::internal
