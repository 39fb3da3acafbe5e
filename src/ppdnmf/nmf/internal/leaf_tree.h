// The tree in which the sums of a holder's leaves are added up (data/leaves.h), branch by branch.
#ifndef PPDNMF_NMF_INTERNAL_LEAF_TREE_H_
#define PPDNMF_NMF_INTERNAL_LEAF_TREE_H_

#include <cstddef>

#include <ppdnmf/nmf/moments.h>

namespace ppdnmf::nmf::internal {

// Sums of leaves are as large as X. One thread has no use for one of every leaf at the same time, so that leaves go in
// branches of the tree they are added up in: enough of them to keep the threads busy, all powers of two.
[[nodiscard]] inline std::size_t branches_for(std::size_t leaves, std::size_t threads) {
  constexpr std::size_t kPerThread = 4;
  std::size_t branches = 1;
  while (branches < leaves && threads > 1 && branches < kPerThread * threads) branches *= 2;
  return branches;
}

// Of the tree over so many leaves, a power of two.
[[nodiscard]] inline std::size_t levels_of(std::size_t leaves) {
  std::size_t levels = 0;
  while ((std::size_t{1} << levels) < leaves) ++levels;
  return levels;
}

// A branch of the tree of data::add_up, from left to right; `right`: scratch, one of every level.
template <typename SolveLeaf>
void add_leaves(std::size_t first, std::size_t count, const SolveLeaf& solve_leaf, Moments& out, Moments* right) {
  if (count == 1) return solve_leaf(first, out);
  add_leaves(first, count / 2, solve_leaf, out, right);
  add_leaves(first + count / 2, count / 2, solve_leaf, *right, right + 1);
  out += *right;
}

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_LEAF_TREE_H_
