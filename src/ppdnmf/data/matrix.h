// The one matrix type: dense, double, column-major.
#ifndef PPDNMF_DATA_MATRIX_H_
#define PPDNMF_DATA_MATRIX_H_

#include <Eigen/Core>

namespace ppdnmf {

using Matrix = Eigen::MatrixXd;
using Index = Eigen::Index;

// Data whose largest entry is between these (or zero) can be squared and added up without leaving what a double holds.
inline constexpr double kSmallestMaximum = 1e-140;
inline constexpr double kLargestMaximum = 1e140;

}  // namespace ppdnmf

#endif  // PPDNMF_DATA_MATRIX_H_
