// How a holder's columns are divided into pieces of work, and how what the pieces come to is added up.
//
// Both depend on the shape of the data alone: neither threads nor machines nor the way columns are kept change a bit
// of a sum.
#ifndef PPDNMF_DATA_LEAVES_H_
#define PPDNMF_DATA_LEAVES_H_

#include <cstddef>
#include <utility>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// Every leaf but the last has a multiple of so many columns: kernels that work on some columns side by side meet the
// same neighbours whether columns are in one leaf or in several.
inline constexpr Index kLeafUnit = 64;
inline constexpr Index kMaxLeaves = 256;

// Leaves of nearly equal size, from left to right, a power of two of them: one for every 2^17 entries of the shape up
// to 16, which keep the processors of one machine busy; from 2^29 entries on one for every 2^24, at most kMaxLeaves,
// since those belong to many machines. None with less than kLeafUnit columns, except for the last. At least one, which
// is empty if there are no columns.
[[nodiscard]] std::vector<Range> leaves(Index rows, Index count);

// work(i, leaf i) for every leaf, on the executor's threads if there are several leaves.
template <typename Work>
void for_each_leaf(const std::vector<Range>& leaves, Executor& executor, const Work& work) {
  if (leaves.size() == 1) return work(std::size_t{0}, leaves.front());
  executor.for_each(leaves.size(), [&](std::size_t i) { work(i, leaves[i]); });
}

// Adds up what the leaves came to, a power of two of parts: ((0 + 1) + (2 + 3)) + ... add(a, b) adds b to a.
template <typename Part, typename Add>
[[nodiscard]] Part add_up(std::vector<Part> parts, const Add& add) {
  for (std::size_t width = 1; width < parts.size(); width *= 2) {
    for (std::size_t i = 0; i + width < parts.size(); i += 2 * width) add(parts[i], parts[i + width]);
  }
  return std::move(parts.front());
}

// A part of that tree: `count` leaves from `first` on, where count is a power of two and first a multiple of it.
struct Branch {
  std::size_t first = 0;
  std::size_t count = 0;
};
// The fewest branches that some leaves side by side are, from left to right.
[[nodiscard]] std::vector<Branch> branches_of(std::size_t first, std::size_t count);

// The same sum as add_up's, to the bit, of branches that have been added up already: all of the tree's, from left to
// right.
template <typename Part, typename Add>
[[nodiscard]] Part add_up_branches(const std::vector<Branch>& branches, std::vector<Part> parts, const Add& add) {
  std::vector<Branch> open;  // the first open.size() parts are what they come to
  for (std::size_t i = 0; i < branches.size(); ++i) {
    open.push_back(branches[i]);
    if (i + 1 != open.size()) parts[open.size() - 1] = std::move(parts[i]);
    while (open.size() > 1 && open.back().count == open[open.size() - 2].count &&
           open[open.size() - 2].first % (2 * open.back().count) == 0) {
      add(parts[open.size() - 2], parts[open.size() - 1]);
      open.pop_back();
      open.back().count *= 2;
    }
  }
  return std::move(parts.front());
}

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_LEAVES_H_
