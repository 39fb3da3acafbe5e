// Which components are found again in many runs.
#ifndef PPDNMF_NMF_INTERNAL_FOUND_AGAIN_H_
#define PPDNMF_NMF_INTERNAL_FOUND_AGAIN_H_

#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::nmf::internal {

struct FoundAgain {
  Eigen::VectorXd mean;  // of what was found, one component of each run at most
  double part = 0;       // of the runs
  double cosine = 0;     // between the mean and what was found, on average
};

// The component that most runs have (cosine above `same`) is the first; it is moved to the mean of what was found, one
// of each run, which then counts no more; then the next one. Of two whose cosine is above `copies` the later one is
// left out. Those found more often come first; at most `most`. Runs have the same rows, and columns of sum one or zero.
[[nodiscard]] std::vector<FoundAgain> found_again(const std::vector<Matrix>& runs, double same, double copies,
                                                  Index most, Executor& executor);

}  // namespace ppdnmf::nmf::internal

#endif  // PPDNMF_NMF_INTERNAL_FOUND_AGAIN_H_
