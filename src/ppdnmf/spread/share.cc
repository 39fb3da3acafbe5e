#include <ppdnmf/spread/share.h>

namespace ppdnmf::spread {

std::vector<Share> shares(Index rows, Index count, int processes) {
  const std::vector<data::Range> leaves = data::leaves(rows, count);
  const auto of_all = static_cast<std::size_t>(processes);
  std::vector<Share> out(of_all);
  for (std::size_t process = 0; process < of_all; ++process) {
    const std::size_t first = leaves.size() * process / of_all;
    const std::size_t end = leaves.size() * (process + 1) / of_all;
    Share& share = out[process];
    share.branches = data::branches_of(first, end - first);
    share.columns.first = first < leaves.size() ? leaves[first].first : count;
    for (std::size_t i = first; i < end; ++i) {
      share.leaves.push_back({leaves[i].first - share.columns.first, leaves[i].count});
      share.columns.count += leaves[i].count;
    }
  }
  return out;
}

}  // namespace ppdnmf::spread
