#include <ppdnmf/nmf/gappy_fit.h>

#include <utility>
#include <vector>

#include <ppdnmf/data/leaves.h>
#include <ppdnmf/nmf/nnls.h>

namespace ppdnmf::nmf {
namespace {

// visit(column, z of the column, the rows that it has) for every column of the leaf.
template <typename Visit>
void for_each_column(const data::Columns& columns, const data::Range& leaf, const Visit& visit) {
  std::vector<double> space;
  std::vector<Index> rows;
  data::walk(columns, leaf, [&](const data::Block& block, const data::Range& range) {
    const data::Gaps gaps = columns.gaps(range);
    for (Index m = 0; m < block.count; ++m) {
      rows.clear();
      const std::span<const int> missing = gaps.of(m);
      std::size_t next = 0;
      for (Index l = 0; l < block.rows; ++l) {
        if (next < missing.size() && missing[next] == l) {
          ++next;
        } else {
          rows.push_back(l);
        }
      }
      visit(range.first + m, data::dense_column(block, m, space), rows);
    }
  });
}

}  // namespace

Matrix gappy_coordinates(const Matrix& X, const data::Columns& columns, Executor& executor, const Matrix& R) {
  Matrix Y(X.cols(), columns.count());
  const std::vector<data::Range> leaves = data::leaves(columns.rows(), columns.count());
  data::for_each_leaf(leaves, executor, [&](std::size_t /*leaf*/, const data::Range& leaf) {
    for_each_column(columns, leaf, [&](Index column, const double* z, const std::vector<Index>& rows) {
      const auto present = static_cast<Index>(rows.size());
      const Index further = present < X.rows() ? R.rows() : 0;
      Matrix own = Matrix::Zero(present + further, 1);
      for (std::size_t i = 0; i < rows.size(); ++i) own(static_cast<Index>(i), 0) = z[rows[i]];
      Matrix basis(present + further, X.cols());
      basis.topRows(present) = X(rows, Eigen::all);
      if (further > 0) basis.bottomRows(further) = R;
      Y.col(column) = nonnegative_least_squares(basis, own);
    });
  });
  return Y;
}

LocalFit gappy_fit(const Matrix& X, const data::Columns& columns, const Matrix& Y, Executor& executor) {
  const std::vector<data::Range> leaves = data::leaves(columns.rows(), columns.count());
  std::vector<LocalFit> fits(leaves.size());
  data::for_each_leaf(leaves, executor, [&](std::size_t i, const data::Range& leaf) {
    for_each_column(columns, leaf, [&](Index column, const double* z, const std::vector<Index>& rows) {
      for (const Index l : rows) {
        const double rest = z[l] - X.row(l).dot(Y.col(column));
        fits[i].squared_error += rest * rest;
        fits[i].squared_norm += z[l] * z[l];
      }
    });
  });
  return data::add_up(std::move(fits), [](LocalFit& a, const LocalFit& b) {
    a.squared_error += b.squared_error;
    a.squared_norm += b.squared_norm;
  });
}

}  // namespace ppdnmf::nmf
