// Process 0's threads for what follows from sums, while the other processes wait: all that its machine gives to the
// run's processes. On several machines others help with the longest of it.
#ifndef PPDNMF_SPREAD_SPREAD_EXECUTOR_H_
#define PPDNMF_SPREAD_SPREAD_EXECUTOR_H_

#include <ppdnmf/nmf/far_executor.h>
#include <ppdnmf/spread/crew.h>

namespace ppdnmf::spread {

class SpreadExecutor final : public nmf::FarExecutor {
 public:
  // Both outlive it. `here`: not the threads that work on process 0's columns, but as many as there are beside.
  SpreadExecutor(Executor& here, Crew& crew) : here_(here), crew_(crew) {}

  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) override {
    here_.for_each(count, task);
  }
  [[nodiscard]] std::size_t threads() const override { return here_.threads(); }
  [[nodiscard]] bool descend_rows(const nmf::RowProblem& problem, Matrix& X) override;

 private:
  Executor& here_;
  Crew& crew_;
};

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_SPREAD_EXECUTOR_H_
