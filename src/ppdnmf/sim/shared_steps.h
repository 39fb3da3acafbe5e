// One computation of the common X for all agents of a process (protocol/sum_scheme.h).
#ifndef PPDNMF_SIM_SHARED_STEPS_H_
#define PPDNMF_SIM_SHARED_STEPS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include <ppdnmf/protocol/sum_scheme.h>

namespace ppdnmf::sim {

// Whoever comes first computes; the others wait for it and copy. Remembers the last few totals only: agents are never
// farther apart than one sum, and one that was thrown back by a crash computes again.
class SharedSteps final : public protocol::CommonSteps {
 public:
  [[nodiscard]] Result<Bytes> find_or_compute(const Digest& totals,
                                              const std::function<Result<Bytes>()>& compute) override;

 private:
  static constexpr std::size_t kRemembered = 2;
  std::mutex mutex_;
  std::deque<std::pair<Digest, Bytes>> steps_;  // the oldest first
};

}  // namespace ppdnmf::sim

#endif  // PPDNMF_SIM_SHARED_STEPS_H_
