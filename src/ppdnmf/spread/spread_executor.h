// Process 0's threads, and the other processes where they can help with X.
#ifndef PPDNMF_SPREAD_SPREAD_EXECUTOR_H_
#define PPDNMF_SPREAD_SPREAD_EXECUTOR_H_

#include <ppdnmf/nmf/far_executor.h>
#include <ppdnmf/spread/crew.h>

namespace ppdnmf::spread {

class SpreadExecutor final : public nmf::FarExecutor {
 public:
  // Both outlive it.
  SpreadExecutor(Executor& own, Crew& crew) : own_(own), crew_(crew) {}

  void for_each(std::size_t count, const std::function<void(std::size_t)>& task) override {
    own_.for_each(count, task);
  }
  [[nodiscard]] std::size_t threads() const override { return own_.threads(); }
  [[nodiscard]] bool descend_rows(const nmf::RowProblem& problem, Matrix& X) override;

 private:
  Executor& own_;
  Crew& crew_;
};

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_SPREAD_EXECUTOR_H_
