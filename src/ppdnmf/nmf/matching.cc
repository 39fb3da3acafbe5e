#include <ppdnmf/nmf/matching.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <ppdnmf/base/result.h>

namespace ppdnmf::nmf {
namespace {

// Rows one after the other; each takes the column at the end of the cheapest path that moves rows before it to other
// columns. Prices keep all reduced costs nonnegative, so that the path can be found as a shortest one.
class Pairing {
 public:
  // rows <= columns.
  explicit Pairing(Matrix cost)
      : cost_(std::move(cost)),
        row_price_(Eigen::VectorXd::Zero(cost_.rows())),
        column_price_(Eigen::VectorXd::Zero(cost_.cols())),
        row_of_(size(cost_.cols()), -1) {}

  [[nodiscard]] std::vector<Index> run() {
    for (Index row = 0; row < cost_.rows(); ++row) place(row);
    std::vector<Index> out(size(cost_.rows()), -1);
    for (Index column = 0; column < cost_.cols(); ++column) {
      const Index row = row_of_[size(column)];
      if (row >= 0) out[size(row)] = column;
    }
    return out;
  }

 private:
  static std::size_t size(Index n) { return static_cast<std::size_t>(n); }

  void place(Index first) {
    const Index columns = cost_.cols();
    Eigen::VectorXd length = Eigen::VectorXd::Constant(columns, std::numeric_limits<double>::infinity());
    std::vector<Index> from(size(columns), -1);  // the column before, -1: `first` itself
    std::vector<bool> done(size(columns), false);
    std::vector<Index> reached;
    Index row = first;
    Index last = -1;
    double so_far = 0;
    for (;;) {
      Index next = -1;
      for (Index column = 0; column < columns; ++column) {
        if (done[size(column)]) continue;
        const double through = so_far + cost_(row, column) - row_price_[row] - column_price_[column];
        if (through < length[column]) {
          length[column] = through;
          from[size(column)] = last;
        }
        if (next < 0 || length[column] < length[next]) next = column;
      }
      so_far = length[next];
      done[size(next)] = true;
      last = next;
      if (row_of_[size(next)] < 0) break;
      reached.push_back(next);
      row = row_of_[size(next)];
    }
    row_price_[first] += so_far;
    for (const Index column : reached) {
      row_price_[row_of_[size(column)]] += so_far - length[column];
      column_price_[column] -= so_far - length[column];
    }
    for (Index column = last; column >= 0;) {
      const Index before = from[size(column)];
      row_of_[size(column)] = before < 0 ? first : row_of_[size(before)];
      column = before;
    }
  }

  Matrix cost_;
  Eigen::VectorXd row_price_, column_price_;
  std::vector<Index> row_of_;  // of each column
};

// Divided by their lengths, without leaving what a double holds.
Matrix unit_columns_of(const Matrix& A) {
  Matrix unit = A;
  for (Index k = 0; k < A.cols(); ++k) {
    const double length = A.col(k).stableNorm();
    if (length > 0) unit.col(k) /= length;
  }
  return unit;
}

}  // namespace

Matrix cosines(const Matrix& A, const Matrix& B) {
  PPDNMF_CHECK(A.rows() == B.rows());
  const Matrix a = unit_columns_of(A);
  const Matrix b = unit_columns_of(B);
  Matrix out(A.cols(), B.cols());
  // One after the other: how a product is blocked must not change a digit.
  for (Index k = 0; k < b.cols(); ++k) {
    for (Index j = 0; j < a.cols(); ++j) {
      double sum = 0;
      for (Index l = 0; l < a.rows(); ++l) sum += a(l, j) * b(l, k);
      out(j, k) = std::min(sum, 1.0);
    }
  }
  return out;
}

std::vector<Index> best_pairs(const Matrix& gain) {
  PPDNMF_CHECK(gain.allFinite());
  if (gain.size() == 0) {
    std::vector<Index> none(static_cast<std::size_t>(gain.rows()), -1);
    return none;
  }
  if (gain.rows() <= gain.cols()) return Pairing(-gain).run();
  std::vector<Index> out(static_cast<std::size_t>(gain.rows()), -1);
  const std::vector<Index> turned = Pairing(-gain.transpose()).run();
  for (std::size_t column = 0; column < turned.size(); ++column)
    out[static_cast<std::size_t>(turned[column])] = static_cast<Index>(column);
  return out;
}

}  // namespace ppdnmf::nmf
