#include <ppdnmf/nmf/leverage.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <ppdnmf/base/random.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/nmf/internal/leading_eigenvectors.h>
#include <ppdnmf/nmf/products.h>

namespace ppdnmf::nmf {
namespace {

constexpr double kNothing = 1e-10;
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Directions {
  ByRows U;  // rows x directions
  Eigen::VectorXd values;
};

// Some of the columns, or all of them.
struct Chosen {
  const data::Columns& columns;
  std::vector<data::Range> ranges;

  void walk(const std::function<void(const data::Block&)>& visit) const {
    for (const data::Range& range : ranges)
      data::walk(columns, range, [&](const data::Block& block, const data::Range&) { visit(block); });
  }
};

// Entry by entry, so that columns by their nonzeros give the same sums as dense ones.
Matrix second_moments(const Chosen& chosen) {
  const Index rows = chosen.columns.rows();
  Matrix G = Matrix::Zero(rows, rows);
  std::vector<std::pair<Index, double>> entries;
  chosen.walk([&](const data::Block& block) {
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
Matrix times_second_moments(const Chosen& chosen, const Matrix& V) {
  const ByRows by_rows = V;
  ByRows out = ByRows::Zero(V.rows(), V.cols());
  Eigen::RowVectorXd y(V.cols());
  chosen.walk([&](const data::Block& block) {
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

Directions leading_of_few_rows(const Chosen& chosen, Index count) {
  internal::Leading found = internal::leading_eigenvectors(second_moments(chosen), count);
  return {found.vectors, std::move(found.values)};
}

// Subspace iteration from a public start, with some directions more than are asked for.
Directions leading_of_many_rows(const Chosen& chosen, Index count) {
  constexpr Index kMore = 8;
  constexpr int kMostSteps = 20;
  constexpr double kSettled = 1e-3;
  const Index rows = chosen.columns.rows();
  const Index width = std::min(rows, count + kMore);
  Stream stream(Seed::from_number(0), 'd');
  Matrix V(rows, width);
  for (Index t = 0; t < V.size(); ++t) V.data()[t] = stream.normal();
  Directions found;
  for (int step = 0; step < kMostSteps; ++step) {
    V = Eigen::HouseholderQR<Matrix>(V).householderQ() * Matrix::Identity(rows, width);
    Matrix W = times_second_moments(chosen, V);
    const Matrix inner = V.transpose() * W;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(inner);
    const Eigen::VectorXd before =
        std::exchange(found, {V * eigen.eigenvectors().rightCols(count), eigen.eigenvalues().tail(count)}).values;
    const bool settled = before.size() > 0 && ((found.values - before).array().abs() <=
                                               kSettled * found.values.array() + kNothing * found.values.maxCoeff())
                                                  .all();
    if (settled) break;
    V = std::move(W);
  }
  return found;
}

// Zᵀ Z. Entry by entry, too: some columns are laid side by side, and every other one is multiplied with all of these.
Matrix column_products(const data::Columns& columns) {
  constexpr Index kBeside = 16;
  using Beside = Eigen::Array<double, kBeside, 1>;
  const Index count = columns.count();
  std::vector<Beside> beside(static_cast<std::size_t>(columns.rows()));
  Matrix K(count, count);
  for (Index i = 0; i < count; i += kBeside) {
    const data::Range lanes{i, std::min(kBeside, count - i)};
    std::fill(beside.begin(), beside.end(), Beside::Zero());
    data::walk(columns, lanes, [&](const data::Block& block, const data::Range& range) {
      for (Index m = 0; m < block.count; ++m) {
        data::for_entries(block, m,
                          [&](Index l, double z) { beside[static_cast<std::size_t>(l)](range.first + m - i) = z; });
      }
    });
    data::walk(columns, {i, count - i}, [&](const data::Block& block, const data::Range& range) {
      for (Index m = 0; m < block.count; ++m) {
        Beside sums = Beside::Zero();
        data::for_entries(block, m, [&](Index l, double z) {
          if (z > 0) sums += z * beside[static_cast<std::size_t>(l)];
        });
        const Index j = range.first + m;
        K.col(j).segment(i, lanes.count) = sums.head(lanes.count);
        K.row(j).segment(i, lanes.count) = sums.head(lanes.count);
      }
    });
  }
  return K;
}

// Columns that are few: leverages are sums of squares of right singular vectors.
std::vector<double> leverages_of_few(const data::Columns& columns, Index directions) {
  const internal::Leading found =
      internal::leading_eigenvectors(column_products(columns), std::min(directions, columns.count()));
  const double least = kNothing * found.values.maxCoeff();
  std::vector<double> out(static_cast<std::size_t>(columns.count()));
  for (Index k = 0; k < found.values.size(); ++k) {
    if (found.values(k) <= least) continue;
    for (std::size_t m = 0; m < out.size(); ++m) {
      const double v = found.vectors(static_cast<Index>(m), k);
      out[m] += v * v;
    }
  }
  return out;
}

// As many as are asked for, or as there are rows; the values rise.
Directions leading(const Chosen& chosen, Index directions) {
  constexpr Index kFewRows = 256;
  fix_product_blocking();
  const Index rows = chosen.columns.rows();
  const Index count = std::min(directions, rows);
  return rows <= kFewRows ? leading_of_few_rows(chosen, count) : leading_of_many_rows(chosen, count);
}

// y = Uᵀ z of a column; returns |z|².
double project(const data::Block& block, Index m, const ByRows& U, Eigen::RowVectorXd& y) {
  double length = 0;
  y.setZero();
  data::for_entries(block, m, [&](Index l, double z) {
    if (z <= 0) return;
    y += z * U.row(l);
    length += z * z;
  });
  return length;
}

}  // namespace

// With U and lambda of some columns, A = U diag(lambda) Uᵀ and what is left, h_j is at most 2 zᵀ (A + lambda_r I)⁻¹ z.
bool surely_none_leads(const data::Columns& columns, Index directions, double part) {
  constexpr Index kPieces = 16;
  constexpr Index kColumns = 128;   // of a piece
  constexpr double kCareful = 0.9;  // what is found by repeated multiplication is not exact
  if (columns.count() < 2 * kPieces * kColumns) return false;
  std::vector<data::Range> some;
  for (Index i = 0; i < kPieces; ++i) some.push_back({i * (columns.count() / kPieces), kColumns});
  const Directions found = leading({columns, std::move(some)}, directions);
  const double least = found.values(0);
  if (!(least > kNothing * found.values.maxCoeff())) return false;
  bool none = true;
  Eigen::RowVectorXd y(found.values.size());
  Chosen{columns, {{0, columns.count()}}}.walk([&](const data::Block& block) {
    for (Index m = 0; m < block.count && none; ++m) {
      const double length = project(block, m, found.U, y);
      double most = std::max(length - y.squaredNorm(), 0.0) / least;
      for (Index k = 0; k < y.size(); ++k) most += y(k) * y(k) / (found.values(k) + least);
      none = 2 * most <= kCareful * part;
    }
  });
  return none;
}

std::vector<double> leverages(const data::Columns& columns, Index directions) {
  constexpr Index kFewColumns = 512;
  constexpr Index kMostRows = 65536;  // of columns side by side
  PPDNMF_CHECK(directions > 0);
  if (columns.count() <= kFewColumns && columns.count() < columns.rows() && columns.rows() <= kMostRows)
    return leverages_of_few(columns, directions);
  const Directions found = leading({columns, {{0, columns.count()}}}, directions);
  const Index count = found.values.size();
  const double least = kNothing * found.values.maxCoeff();
  std::vector<double> out;
  Eigen::RowVectorXd y(count);
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range&) {
    for (Index m = 0; m < block.count; ++m) {
      (void)project(block, m, found.U, y);
      double part = 0;
      for (Index k = 0; k < count; ++k) part += found.values(k) > least ? y(k) * y(k) / found.values(k) : 0;
      out.push_back(part);
    }
  });
  return out;
}

}  // namespace ppdnmf::nmf
