// The part of a larger holder's columns that one of several processes has: some of its leaves, side by side.
//
// It does with its columns what a Holder does, and tells what every branch of the tree over all leaves comes to
// (data/leaves.h), so that whoever has all branches adds them up to what one process finds, to the bit.
#ifndef PPDNMF_NMF_PART_HOLDER_H_
#define PPDNMF_NMF_PART_HOLDER_H_

#include <memory>
#include <vector>

#include <ppdnmf/nmf/holder.h>

namespace ppdnmf::nmf {

class PartHolder final : public Holder {
 public:
  // `leaves`: of the larger holder, counted from the first column here; `branches`: what these are of its tree.
  PartHolder(data::SharedColumns columns, std::vector<data::Range> leaves, std::vector<data::Branch> branches,
             Executor& executor, std::shared_ptr<const Loss> loss)
      : Holder(std::move(columns), std::move(leaves), std::move(branches), executor, std::move(loss)) {}

  using Holder::BoundedBranches;
  using Holder::Coordinates;
  // As the methods of Holder that are named so, of every leaf or every branch.
  using Holder::add_second_moments;
  using Holder::answer_branches;
  using Holder::begin_leaves;
  using Holder::bounded_branches;
  using Holder::wants_prepared;
  // The state, for whoever keeps that of all parts together.
  using Holder::coordinates;
  using Holder::take_coordinates;
};

}  // namespace ppdnmf::nmf

#endif  // PPDNMF_NMF_PART_HOLDER_H_
