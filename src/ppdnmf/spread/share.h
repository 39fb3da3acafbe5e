// Which columns of a matrix each of several processes has: whole leaves, side by side (data/leaves.h).
#ifndef PPDNMF_SPREAD_SHARE_H_
#define PPDNMF_SPREAD_SHARE_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/data/columns.h>
#include <ppdnmf/data/leaves.h>

namespace ppdnmf::spread {

struct Share {
  data::Range columns;                 // of the matrix
  std::vector<data::Range> leaves;     // counted from the first of these columns
  std::vector<data::Branch> branches;  // of the tree over all leaves

  [[nodiscard]] bool none() const { return leaves.empty(); }
};

// Shares with nearly equal numbers of leaves, one for each process that is at work (flags, one for each process); where
// there are more of them than leaves some have nothing.
[[nodiscard]] std::vector<Share> shares(Index rows, Index count, const std::vector<std::uint8_t>& at_work);

}  // namespace ppdnmf::spread

#endif  // PPDNMF_SPREAD_SHARE_H_
