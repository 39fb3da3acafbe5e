#include <ppdnmf/data/leaves.h>

#include <algorithm>

namespace ppdnmf::data {

std::vector<Range> leaves(Index rows, Index count) {
  // Fewer are not worth a thread, and what small holders come to is added up from left to right.
  constexpr Index kEntries = Index{1} << 17;
  const Index units = (count + kLeafUnit - 1) / kLeafUnit;
  constexpr Index kOfOneMachine = 16;
  constexpr Index kManyEntries = Index{1} << 24;
  const Index entries = rows * count;
  const Index of_many = std::min(kMaxLeaves, entries / kManyEntries);
  const Index wanted = std::min(units, std::max(of_many, std::min(kOfOneMachine, entries / kEntries)));
  Index number = 1;
  while (2 * number <= wanted) number *= 2;
  std::vector<Range> out;
  for (Index i = 0; i < number; ++i) {
    const Index first = units * i / number * kLeafUnit;
    const Index end = std::min(count, units * (i + 1) / number * kLeafUnit);
    out.push_back({first, end - first});
  }
  return out;
}

std::vector<Branch> branches_of(std::size_t first, std::size_t count) {
  std::vector<Branch> out;
  for (const std::size_t end = first + count; first < end; first += out.back().count) {
    std::size_t size = 1;
    while (first % (2 * size) == 0 && first + 2 * size <= end) size *= 2;
    out.push_back({first, size});
  }
  return out;
}

}  // namespace ppdnmf::data
