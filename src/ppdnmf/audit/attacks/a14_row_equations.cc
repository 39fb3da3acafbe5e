#include <ppdnmf/audit/attacks/a14_row_equations.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/nmf/nnls.h>

namespace ppdnmf::audit {
namespace {

constexpr double kZero = 1e-12;  // of the largest entry: what subtracting one's own share leaves

struct Sweeps {
  int most;
  double part;
};
// Of a start and of every other Y step (nmf/squares.cc); a test holds them against recorded runs.
constexpr Sweeps kFirst{50, 1e-4};
constexpr Sweeps kUsual{20, 1e-3};

// What one exchange adds to the normal equations, and how far it is from what was seen, over what was seen.
struct Misfit {
  Matrix J;
  Vector r;
  double part = 0;
};

Misfit misfit_of(const RowExchange& e, const Vector& w) {
  const Matrix G = e.X.transpose() * e.X;
  const Swept swept = sweep_column(G, e.X.transpose() * w, e.before, e.sweeps, e.part);
  Misfit out{swept.by_c * e.X.transpose(), e.after - swept.y, 0};
  for (Index k = 0; k < out.r.size(); ++k) {
    if (e.told[static_cast<std::size_t>(k)]) continue;
    out.r(k) = 0;
    out.J.row(k).setZero();
  }
  out.part = out.r.norm() / std::max(e.after.norm(), 1e-300);
  return out;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

std::vector<RowExchange> row_exchanges(const OthersTotals& totals, Index row) {
  std::vector<RowExchange> out;
  Vector y, before;
  double last = 0;  // extrapolation of the exchange before
  for (std::size_t e = 0; e < totals.requests.size(); ++e) {
    const nmf::DescentRequest& request = totals.requests[e];
    const Index rank = request.X.cols();
    if (e == 0 || request.restart) {
      y = before = Vector::Zero(rank);
      last = 0;
    }
    if (request.take_back) {
      y = before;
      last = 0;
    }
    const Vector seen = totals.others[e].S.row(row).transpose();
    const double b = request.extrapolation;
    const Sweeps sweeps = request.restart ? kFirst : kUsual;
    RowExchange exchange{request.X,  (y + last * (y - before)).cwiseMax(0), Vector::Zero(rank), {}, sweeps.most,
                         sweeps.part};
    for (Index k = 0; k < rank; ++k) {
      const bool there = seen(k) > kZero * seen.maxCoeff();
      exchange.after(k) = there ? (seen(k) + b * y(k)) / (1 + b) : 0;
      exchange.told.push_back(there || !(b > 0 && y(k) > 0));
    }
    before = std::exchange(y, exchange.after);
    last = b;
    out.push_back(std::move(exchange));
  }
  return out;
}

Swept sweep_column(const Matrix& G, const Vector& c, const Vector& start, int sweeps, double part) {
  const Index rank = G.cols();
  Swept out{start, Matrix::Zero(rank, rank)};
  double enough = 0;
  for (int n = 0; n < sweeps; ++n) {
    double change = 0;
    for (Index k = 0; k < rank; ++k) {
      if (!(G(k, k) > 0)) continue;
      const double old = out.y(k);
      out.y(k) = std::max(0.0, old + (c(k) - G.row(k).dot(out.y)) / G(k, k));
      if (out.y(k) > 0) {
        out.by_c.row(k) -= G.row(k) * out.by_c / G(k, k);
        out.by_c(k, k) += 1 / G(k, k);
      } else {
        out.by_c.row(k).setZero();
      }
      change += (out.y(k) - old) * (out.y(k) - old) * G(k, k);
    }
    if (n == 0) enough = part * change;
    if (!(change > enough)) break;
  }
  return out;
}

namespace {

// The equations of all exchanges around w, each as much as it fits beside `coarse`, and how far each is from fitting.
struct Equations {
  Matrix A;
  Vector right;  // A (w' - w) = right
  std::vector<double> parts;
};

Equations equations_at(const std::vector<RowExchange>& exchanges, const Vector& w, double coarse, double size) {
  const Index rank = exchanges.front().X.cols();
  const Index count = rank * static_cast<Index>(exchanges.size());
  Equations out{Matrix(count, w.size()), Vector(count), {}};
  for (std::size_t e = 0; e < exchanges.size(); ++e) {
    const Misfit misfit = misfit_of(exchanges[e], w);
    const double length = std::max(exchanges[e].after.norm(), 1e-300);
    const double weight = coarse / std::hypot(misfit.part, coarse) / length * size;
    out.A.middleRows(static_cast<Index>(e) * rank, rank) = weight * misfit.J;
    out.right.segment(static_cast<Index>(e) * rank, rank) = weight * misfit.r;
    out.parts.push_back(misfit.part);
  }
  return out;
}

// What the equations leave open, entries that are not negative mostly decide.
Vector nonnegative_near(const std::vector<RowExchange>& exchanges, Vector w, double size) {
  constexpr int kSteps = 15;
  double coarse = 1e-3;
  for (int step = 0; step < kSteps; ++step) {
    const Equations e = equations_at(exchanges, w, coarse, size);
    const Vector target = e.right + e.A * w;
    if (!e.A.allFinite() || !target.allFinite()) break;
    const Vector rough = nmf::nonnegative_least_squares(e.A, target);
    std::vector<Index> there;
    for (Index l = 0; l < w.size(); ++l) {
      if (rough(l) > kZero * rough.maxCoeff()) there.push_back(l);
    }
    if (there.empty()) break;
    const Vector fine = Matrix(e.A(Eigen::all, there)).colPivHouseholderQr().solve(target);
    w.setZero();
    for (std::size_t t = 0; t < there.size(); ++t) w(there[t]) = std::max(0.0, fine(static_cast<Index>(t)));
    coarse = std::max(1e-9, 0.3 * coarse);
  }
  return w;
}

// How strictly exchanges are asked to fit in the end, and how much the guess counts: `most` at first, and in proportion
// to the strictness later, but never less than `least`.
struct Strictness {
  double finest;
  double most, least;
};

struct Found {
  Vector w;
  double misfit;  // the median over exchanges
};

// Steps of Gauss and Newton; exchanges that do not fit count less and less.
Found find_column(const std::vector<RowExchange>& exchanges, const Vector& start, const Strictness& strictness) {
  constexpr int kSteps = 60;
  constexpr double kPrior = 1e4;  // more than exchanges that do not fit, less than those that do
  const Index rows = start.size();
  Vector w = start;
  Found best{w, 1e300};
  double coarse = 1;
  for (int step = 0; step < kSteps; ++step) {
    const Equations e = equations_at(exchanges, w, coarse, start.norm());
    const double prior = std::max(strictness.least, std::min(strictness.most, kPrior * coarse));
    Matrix A(e.A.rows() + rows, rows);
    Vector right(A.rows());
    A << e.A, prior * Matrix::Identity(rows, rows);
    right << e.right, prior * (start - w);
    if (const double now = median(e.parts); now < best.misfit) best = {w, now};
    const Vector moved = A.colPivHouseholderQr().solve(right);
    if (!moved.allFinite()) break;
    w += moved;
    coarse = std::max(strictness.finest, 0.6 * coarse);
  }
  return best;
}

}  // namespace

Vector column_behind(const std::vector<RowExchange>& exchanges, const Vector& guess) {
  constexpr double kExplains = 1e-7;
  constexpr Strictness kExact{1e-12, 1e-3, 0};
  constexpr Strictness kRough{1e-11, 1e-3, 1e-3};
  // The guess, as long as what was seen in the first exchange says.
  const RowExchange& first = exchanges.front();
  const Swept of_guess =
      sweep_column(first.X.transpose() * first.X, first.X.transpose() * guess, first.before, first.sweeps, first.part);
  const Vector start = guess * (first.after.norm() / std::max(of_guess.y.norm(), 1e-300));
  const Found exact = find_column(exchanges, start, kExact);
  Vector nonnegative = nonnegative_near(exchanges, exact.w.cwiseMax(0), start.norm());
  if (nonnegative.allFinite() && median(equations_at(exchanges, nonnegative, 1, start.norm()).parts) < kExplains)
    return nonnegative;
  if (exact.misfit < kExplains) return exact.w;
  // No column fits: several stand behind the row, and their sum is found as well as it goes.
  return find_column(exchanges, start, kRough).w;
}

}  // namespace ppdnmf::audit
