#include <ppdnmf/audit/model/prior.h>

#include <Eigen/Cholesky>
#include <algorithm>

namespace ppdnmf::audit {

ColumnPrior prior_of(const Matrix& own) {
  const Index rows = own.rows();
  ColumnPrior prior{own.rowwise().mean(), {}};
  const Matrix centred = own.colwise() - prior.mean;
  Matrix covariance = centred * centred.transpose() / static_cast<double>(std::max<Index>(1, own.cols() - 1));
  // Few columns of one's own say nothing of most directions: these get a fiftieth of the mean variance.
  covariance.diagonal().array() += 0.02 * covariance.trace() / static_cast<double>(rows) + 1e-6;
  prior.precision = covariance.llt().solve(Matrix::Identity(rows, rows));
  return prior;
}

Vector random_columns(const Matrix& own, Index columns, Stream& stream) {
  Vector out(columns * own.rows());
  for (Index m = 0; m < columns; ++m) {
    const auto which = static_cast<Index>(stream.below(static_cast<std::uint64_t>(own.cols())));
    out.segment(m * own.rows(), own.rows()) = (0.7 + 0.6 * stream.uniform()) * own.col(which);
  }
  return out;
}

Matrix guessed_columns(const Matrix& own, Index columns) { return own.rowwise().mean().replicate(1, columns); }

}  // namespace ppdnmf::audit
