#include <ppdnmf/spread/share.h>

#include <algorithm>

namespace ppdnmf::spread {

std::vector<Share> shares(Index rows, Index count, const std::vector<std::uint8_t>& at_work) {
  const std::vector<data::Range> leaves = data::leaves(rows, count);
  const auto of_all = static_cast<std::size_t>(std::count(at_work.begin(), at_work.end(), 1));
  std::vector<Share> out(at_work.size());
  std::size_t before = 0;  // processes at work
  for (std::size_t process = 0; process < out.size(); ++process) {
    const std::size_t first = leaves.size() * before / of_all;
    before += at_work[process];
    const std::size_t end = leaves.size() * before / of_all;
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
