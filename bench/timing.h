// How benchmarks measure time.
#ifndef PPDNMF_BENCH_TIMING_H_
#define PPDNMF_BENCH_TIMING_H_

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <vector>

namespace ppdnmf {

inline bool quick = false;  // shorter rounds

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Uses a result that only its making is timed for.
template <typename T>
void keep(T&& result) {
  asm volatile("" : : "g"(&result) : "memory");
}

// Median over five rounds of the time of one call, each round at least a tenth of a second long.
inline double seconds_per_call(const std::function<void()>& call) {
  const double least = quick ? 0.02 : 0.1;
  std::vector<double> rounds;
  for (int round = 0; round < 5; ++round) {
    std::size_t calls = 0;
    const double start = cpu_seconds();
    double spent = 0;
    do {
      call();
      ++calls;
      spent = cpu_seconds() - start;
    } while (spent < least);
    rounds.push_back(spent / static_cast<double>(calls));
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds[rounds.size() / 2];
}

}  // namespace ppdnmf

#endif  // PPDNMF_BENCH_TIMING_H_
