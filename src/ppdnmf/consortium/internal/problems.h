// What check.cc and check_members.cc share.
#ifndef PPDNMF_CONSORTIUM_INTERNAL_PROBLEMS_H_
#define PPDNMF_CONSORTIUM_INTERNAL_PROBLEMS_H_

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/consortium/check.h>

namespace ppdnmf::consortium::internal {

class Problems {
 public:
  template <typename... Args>
  void refuse(fmt::format_string<Args...> format, Args&&... args) {
    list_.push_back({Severity::kRefusal, fmt::format(format, std::forward<Args>(args)...)});
  }
  template <typename... Args>
  void warn(fmt::format_string<Args...> format, Args&&... args) {
    list_.push_back({Severity::kWarning, fmt::format(format, std::forward<Args>(args)...)});
  }
  [[nodiscard]] std::vector<Problem> take() { return std::move(list_); }

 private:
  std::vector<Problem> list_;
};

// Members by themselves: how many, names, keys, addresses, dates.
void check_members(const Consortium& consortium, std::chrono::sys_seconds now, Problems& problems);

// Edges as places of members, without those that check() complains about.
using EdgeList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
[[nodiscard]] EdgeList known_edges(const Consortium& consortium);

}  // namespace ppdnmf::consortium::internal

#endif  // PPDNMF_CONSORTIUM_INTERNAL_PROBLEMS_H_
