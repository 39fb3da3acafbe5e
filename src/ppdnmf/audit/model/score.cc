#include <ppdnmf/audit/model/score.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include <ppdnmf/base/result.h>

namespace ppdnmf::audit {
namespace {

// The cheapest way to give every row a column of its own; rows <= columns. Shortest augmenting paths with potentials,
// row by row; `match[c]` is the row of column c, or -1.
std::vector<Index> cheapest_match(const Matrix& cost) {
  const Index rows = cost.rows();
  const Index columns = cost.cols();
  std::vector<double> row_potential(static_cast<std::size_t>(rows) + 1);
  std::vector<double> column_potential(static_cast<std::size_t>(columns) + 1);
  std::vector<Index> row_of(static_cast<std::size_t>(columns) + 1, rows);  // `rows` stands for none
  for (Index row = 0; row < rows; ++row) {
    std::vector<double> distance(static_cast<std::size_t>(columns) + 1, std::numeric_limits<double>::infinity());
    std::vector<Index> before(static_cast<std::size_t>(columns) + 1, columns);
    std::vector<bool> done(static_cast<std::size_t>(columns) + 1);
    Index column = columns;  // a column that stands for the start
    row_of[static_cast<std::size_t>(column)] = row;
    do {
      done[static_cast<std::size_t>(column)] = true;
      const Index here = row_of[static_cast<std::size_t>(column)];
      double shortest = std::numeric_limits<double>::infinity();
      Index next = columns;
      for (Index c = 0; c < columns; ++c) {
        const auto k = static_cast<std::size_t>(c);
        if (done[k]) continue;
        const double reduced = cost(here, c) - row_potential[static_cast<std::size_t>(here)] - column_potential[k];
        if (reduced < distance[k]) {
          distance[k] = reduced;
          before[k] = column;
        }
        if (distance[k] < shortest) {
          shortest = distance[k];
          next = c;
        }
      }
      for (std::size_t k = 0; k <= static_cast<std::size_t>(columns); ++k) {
        if (done[k]) {
          row_potential[static_cast<std::size_t>(row_of[k])] += shortest;
          column_potential[k] -= shortest;
        } else {
          distance[k] -= shortest;
        }
      }
      column = next;
    } while (row_of[static_cast<std::size_t>(column)] != rows);
    while (column != columns) {
      const Index previous = before[static_cast<std::size_t>(column)];
      row_of[static_cast<std::size_t>(column)] = row_of[static_cast<std::size_t>(previous)];
      column = previous;
    }
  }
  row_of.pop_back();
  for (Index& row : row_of) row = row == rows ? -1 : row;
  return row_of;
}

}  // namespace

double column_error(const Matrix& truth, const Matrix& claim) {
  Matrix padded = Matrix::Zero(truth.rows(), std::max(truth.cols(), claim.cols()));
  padded.leftCols(claim.cols()) = claim;
  Matrix cost(truth.cols(), padded.cols());
  for (Index m = 0; m < truth.cols(); ++m) cost.row(m) = (padded.colwise() - truth.col(m)).colwise().squaredNorm();
  double squared = 0;
  const std::vector<Index> match = cheapest_match(cost);
  for (Index c = 0; c < padded.cols(); ++c) {
    const Index row = match[static_cast<std::size_t>(c)];
    if (row >= 0) squared += cost(row, c);
  }
  return std::sqrt(squared / truth.squaredNorm());
}

double relative_error_of(const Matrix& truth, const Matrix& claim) { return (truth - claim).norm() / truth.norm(); }

double outside_of(const Matrix& vectors, const Matrix& basis) {
  const Eigen::ColPivHouseholderQR<Matrix> qr(basis);
  const Matrix Q = qr.householderQ() * Matrix::Identity(basis.rows(), qr.rank());
  double largest = 0;
  for (Index m = 0; m < vectors.cols(); ++m) {
    const Eigen::VectorXd v = vectors.col(m);
    largest = std::max(largest, (v - Q * (Q.transpose() * v)).norm() / v.norm());
  }
  return largest;
}

double area_under_curve(std::span<const double> members, std::span<const double> strangers) {
  PPDNMF_CHECK(!members.empty() && !strangers.empty());
  double wins = 0;
  for (const double m : members) {
    for (const double s : strangers) wins += m > s ? 1 : m == s ? 0.5 : 0;
  }
  return wins / static_cast<double>(members.size() * strangers.size());
}

namespace {

// So many standard errors are half a 95 % interval of a mean of n independent numbers: Student's quantile, by its
// expansion around the normal one from three degrees of freedom on (off by less than 0.03).
double half_interval(double n) {
  constexpr double kOneDegree = 12.706;
  constexpr double kTwoDegrees = 4.303;
  constexpr double z = 1.959964;
  const double nu = n - 1;
  if (nu < 2) return kOneDegree;
  if (nu < 3) return kTwoDegrees;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  return z + (z3 + z) / (4 * nu) + (5 * z5 + 16 * z3 + 3 * z) / (96 * nu * nu) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * nu * nu * nu);
}

}  // namespace

Estimate estimate(std::span<const double> values) {
  PPDNMF_CHECK(!values.empty());
  Estimate out;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) out.mean += v / n;
  double squared = 0;
  for (const double v : values) squared += (v - out.mean) * (v - out.mean);
  const double half = n > 1 ? half_interval(n) * std::sqrt(squared / (n - 1) / n) : 0;
  out.low = out.mean - half;
  out.high = out.mean + half;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  out.median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
  return out;
}

}  // namespace ppdnmf::audit
