// What a relay says about what happens, with a bound on how much: whoever comes and goes all the time fills no log.
#ifndef PPDNMF_RELAY_INTERNAL_CHRONICLE_H_
#define PPDNMF_RELAY_INTERNAL_CHRONICLE_H_

#include <fmt/core.h>

#include <chrono>
#include <functional>
#include <string>

namespace ppdnmf::relay {

class Chronicle {
 public:
  using Time = std::chrono::steady_clock::time_point;
  Chronicle(std::function<void(const std::string&)> log, std::chrono::milliseconds window)
      : log_(std::move(log)), window_(window) {}
  void tell(const std::string& sentence, Time now) {
    turn(now);
    if (told_ < kLines) {
      ++told_;
      return log_(sentence);
    }
    ++left_out_;
  }
  void turn(Time now) {
    if (now < begun_ + window_) return;
    if (left_out_ > 0) log_(fmt::format("{} more lines like these are left out", left_out_));
    begun_ = now;
    told_ = left_out_ = 0;
  }

 private:
  static constexpr std::size_t kLines = 12;  // in a window
  std::function<void(const std::string&)> log_;
  std::chrono::milliseconds window_;
  Time begun_{};
  std::size_t told_ = 0, left_out_ = 0;
};

}  // namespace ppdnmf::relay

#endif  // PPDNMF_RELAY_INTERNAL_CHRONICLE_H_
