// Time by the clock. From `base` to `sim` nothing asks for it.
#ifndef PPDNMF_RUN_STOPWATCH_H_
#define PPDNMF_RUN_STOPWATCH_H_

#include <chrono>

namespace ppdnmf::run {

class Stopwatch {
 public:
  // `before`: seconds that an earlier process has spent on the same run.
  explicit Stopwatch(double before = 0) : before_(before), start_(std::chrono::steady_clock::now()) {}
  [[nodiscard]] double seconds() const {
    return before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double before_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_STOPWATCH_H_
