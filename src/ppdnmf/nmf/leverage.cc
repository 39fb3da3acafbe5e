#include <ppdnmf/nmf/leverage.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {
namespace {

constexpr double kNothing = 1e-10;
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Directions {
  ByRows U;  // rows x directions
  Eigen::VectorXd values;
};

// Entry by entry, so that columns by their nonzeros give the same sums as dense ones.
Matrix second_moments(const data::Columns& columns) {
  const Index rows = columns.rows();
  Matrix G = Matrix::Zero(rows, rows);
  std::vector<std::pair<Index, double>> entries;
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range&) {
    for (Index m = 0; m < block.count; ++m) {
      entries.clear();
      data::for_entries(block, m, [&](Index l, double z) {
        if (z > 0) entries.emplace_back(l, z);
      });
      for (const auto& [l, z] : entries) {
        double* const column = G.data() + l * rows;
        for (const auto& [k, other] : entries) column[k] += other * z;
      }
    }
  });
  return G;
}

// Z Zᵀ V without Z Zᵀ.
Matrix times_second_moments(const data::Columns& columns, const Matrix& V) {
  const ByRows by_rows = V;
  ByRows out = ByRows::Zero(V.rows(), V.cols());
  Eigen::RowVectorXd y(V.cols());
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range&) {
    for (Index m = 0; m < block.count; ++m) {
      y.setZero();
      data::for_entries(block, m, [&](Index l, double z) {
        if (z > 0) y += z * by_rows.row(l);
      });
      data::for_entries(block, m, [&](Index l, double z) {
        if (z > 0) out.row(l) += z * y;
      });
    }
  });
  return out;
}

Directions leading(const Eigen::SelfAdjointEigenSolver<Matrix>& eigen, const Matrix& basis, Index count) {
  return {basis * eigen.eigenvectors().rightCols(count), eigen.eigenvalues().tail(count)};
}

Directions leading_of_few_rows(const data::Columns& columns, Index count) {
  const Matrix G = second_moments(columns);
  return leading(Eigen::SelfAdjointEigenSolver<Matrix>(G), Matrix::Identity(G.rows(), G.rows()), count);
}

// Subspace iteration from a public start, with some directions more than are asked for.
Directions leading_of_many_rows(const data::Columns& columns, Index count) {
  constexpr Index kMore = 8;
  constexpr int kMostSteps = 20;
  constexpr double kSettled = 1e-3;
  const Index width = std::min(columns.rows(), count + kMore);
  Stream stream(Seed::from_number(0), 'd');
  Matrix V(columns.rows(), width);
  for (Index t = 0; t < V.size(); ++t) V.data()[t] = stream.normal();
  Directions found;
  for (int step = 0; step < kMostSteps; ++step) {
    V = Eigen::HouseholderQR<Matrix>(V).householderQ() * Matrix::Identity(V.rows(), width);
    Matrix W = times_second_moments(columns, V);
    const Matrix inner = V.transpose() * W;
    const Eigen::VectorXd before =
        std::exchange(found, leading(Eigen::SelfAdjointEigenSolver<Matrix>(inner), V, count)).values;
    const bool settled = before.size() > 0 && ((found.values - before).array().abs() <=
                                               kSettled * found.values.array() + kNothing * found.values.maxCoeff())
                                                  .all();
    if (settled) break;
    V = std::move(W);
  }
  return found;
}

}  // namespace

std::vector<double> leverages(const data::Columns& columns, Index directions) {
  constexpr Index kFewRows = 256;
  PPDNMF_CHECK(directions > 0);
  fix_product_blocking();
  const Index count = std::min(directions, columns.rows());
  const Directions found =
      columns.rows() <= kFewRows ? leading_of_few_rows(columns, count) : leading_of_many_rows(columns, count);
  const double least = kNothing * found.values.maxCoeff();
  std::vector<double> out;
  Eigen::RowVectorXd y(count);
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range&) {
    for (Index m = 0; m < block.count; ++m) {
      y.setZero();
      data::for_entries(block, m, [&](Index l, double z) {
        if (z > 0) y += z * found.U.row(l);
      });
      double part = 0;
      for (Index k = 0; k < count; ++k) part += found.values(k) > least ? y(k) * y(k) / found.values(k) : 0;
      out.push_back(part);
    }
  });
  return out;
}

}  // namespace ppdnmf::nmf
