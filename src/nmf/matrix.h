// The one matrix type: dense, double, column-major.
#ifndef PPDNMF_NMF_MATRIX_H_
#define PPDNMF_NMF_MATRIX_H_

#include <Eigen/Core>

namespace ppdnmf {

using Matrix = Eigen::MatrixXd;
using Index = Eigen::Index;

}  // namespace ppdnmf

#endif  // PPDNMF_NMF_MATRIX_H_
