#include <ppdnmf/sim/shared_steps.h>

namespace ppdnmf::sim {

Result<Bytes> SharedSteps::find_or_compute(const Digest& totals, const std::function<Result<Bytes>()>& compute) {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, state] : steps_) {
    if (name == totals) return state;
  }
  PPDNMF_TRY(Bytes state, compute());
  if (steps_.size() == kRemembered) steps_.pop_front();
  steps_.emplace_back(totals, state);
  return state;
}

}  // namespace ppdnmf::sim
