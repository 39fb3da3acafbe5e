#include <ppdnmf/nmf/exposures.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/nmf/internal/column_descent.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/nmf/loss.h>
#include <ppdnmf/nmf/products.h>
#include <ppdnmf/nmf/resample.h>

namespace ppdnmf::nmf {
namespace {

constexpr double kActivePart = 0.01;
constexpr double kLow = 0.025;
constexpr double kHigh = 0.975;
constexpr std::uint8_t kDrawStream = 'I';

using Components = std::vector<Index>;

Components components_of(const Eigen::Ref<const Eigen::VectorXd>& y) {
  Components out;
  for (Index k = 0; k < y.size(); ++k) {
    if (y[k] > 0) out.push_back(k);
  }
  return out;
}

// One column and X, both without the rows that the column lacks.
struct OneColumn {
  std::vector<double> z;
  Matrix own_X;  // empty: all rows are there
  const Matrix& all_X;
  [[nodiscard]] const Matrix& X() const { return own_X.size() != 0 ? own_X : all_X; }
};

OneColumn take_column(const Matrix& X, const data::Columns& columns, Index m) {
  data::Scratch scratch;
  std::vector<double> space;
  const data::Block block = columns.lend({m, 1}, scratch);
  const double* const z = data::dense_column(block, 0, space);
  OneColumn out{{z, z + columns.rows()}, {}, X};
  const auto missing = columns.gaps({m, 1}).of(0);
  if (missing.empty()) return out;
  std::vector<Index> there;
  auto gap = missing.begin();
  for (Index l = 0; l < columns.rows(); ++l) {
    if (gap != missing.end() && *gap == l) {
      ++gap;
    } else {
      out.z[there.size()] = out.z[static_cast<std::size_t>(l)];
      there.push_back(l);
    }
  }
  out.z.resize(there.size());
  out.own_X = X(there, Eigen::all);
  return out;
}

// Columns with some components of X, under a loss.
class ColumnSolver {
 public:
  ColumnSolver(const Loss& loss, const Matrix& X) : loss_(loss), X_(X) {}

  // Y: where to begin, replaced. Returns the loss of all columns together.
  double solve(const data::Columns& columns, const std::vector<double>& constants, Effort effort, Matrix& Y) const {
    const auto at = loss_.at({X_, effort, 0, false});
    Moments out;
    at->solve({columns, {0, columns.count()}, 1, constants.data()}, Y, Y, out);
    return loss_.kind() == LossKind::kPoisson ? out.divergence : out.squared_error;
  }

 private:
  const Loss& loss_;
  const Matrix& X_;
};

std::vector<double> constants_of(const Loss& loss, const data::Columns& columns) {
  std::vector<double> constants(static_cast<std::size_t>(columns.count()));
  loss.constants(columns, {0, columns.count()}, 1, constants.data());
  return constants;
}

Matrix some_columns(const Matrix& X, const Components& components) { return X(Eigen::all, components); }

// One column's way down from all of its components.
class Elimination {
 public:
  Elimination(const Loss& loss, const Matrix& X, const std::vector<double>& z)
      : loss_(loss), X_(X), columns_(data::own(Eigen::Map<const Matrix>(z.data(), X.rows(), 1))) {
    constants_ = constants_of(loss, *columns_);
    // What round-off leaves of an exact fit is not worth a component.
    double size = 0;
    for (const double entry : z) size += loss.kind() == LossKind::kPoisson ? entry : entry * entry;
    slack_ = 1e-12 * size;
  }

  // y becomes the pruned one.
  void run(double part, Eigen::Ref<Eigen::VectorXd> y) {
    kept_ = components_of(y);
    if (kept_.empty()) return;
    y_ = y(kept_);
    const double whole = solve(kept_, Effort::kThorough, y_);
    double now = whole;
    while (kept_.size() > 1) {
      std::size_t cheapest = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < kept_.size(); ++i) {
        Matrix rest = without(i);
        const double value = solve(kept_without(i), Effort::kFromNothing, rest);
        if (value < least) {
          least = value;
          cheapest = i;
        }
      }
      Components fewer = kept_without(cheapest);
      Matrix rest = without(cheapest);
      const double value = solve(fewer, Effort::kThorough, rest);
      if (!(value - now <= part * whole + slack_)) break;
      now = std::max(value, now);
      kept_ = std::move(fewer);
      y_ = std::move(rest);
    }
    y.setZero();
    y(kept_) = y_.col(0);
  }

 private:
  double solve(const Components& components, Effort effort, Matrix& y) const {
    const Matrix X = some_columns(X_, components);
    return ColumnSolver(loss_, X).solve(*columns_, constants_, effort, y);
  }
  [[nodiscard]] Components kept_without(std::size_t i) const {
    Components out = kept_;
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
    return out;
  }
  [[nodiscard]] Matrix without(std::size_t i) const {
    Matrix out(y_.rows() - 1, 1);
    const auto at = static_cast<Index>(i);
    out.topRows(at) = y_.topRows(at);
    out.bottomRows(out.rows() - at) = y_.bottomRows(out.rows() - at);
    return out;
  }

  const Loss& loss_;
  const Matrix& X_;
  data::SharedColumns columns_;
  std::vector<double> constants_;
  double slack_ = 0;
  Components kept_;
  Matrix y_;  // of what is kept
};

// --- intervals ------------------------------------------------------------------------------------------------------

bool whole_numbers(const std::vector<double>& z) {
  return std::all_of(z.begin(), z.end(), [](double entry) { return entry == std::floor(entry); });
}

Matrix draw_counts(const std::vector<double>& z, int draws, Stream& stream) {
  Matrix Z(static_cast<Index>(z.size()), draws);
  for (Index n = 0; n < Z.cols(); ++n) {
    for (Index l = 0; l < Z.rows(); ++l) {
      const double mean = z[static_cast<std::size_t>(l)];
      Z(l, n) = mean > 0 ? draw_poisson(mean, stream) : 0;
    }
  }
  return Z;
}

// Under the Poisson loss entries below zero are none: it passes over them.
Matrix draw_residuals(const std::vector<double>& z, const Eigen::VectorXd& fit, std::size_t components, int draws,
                      Stream& stream) {
  const auto rows = static_cast<double>(z.size());
  const double left = rows - static_cast<double>(components);
  const double larger = left > 0 ? std::sqrt(rows / left) : 1;
  Matrix Z(fit.size(), draws);
  std::uint64_t bits = 0;
  int there = 0;
  for (Index n = 0; n < Z.cols(); ++n) {
    for (Index l = 0; l < Z.rows(); ++l) {
      if (there == 0) {
        bits = stream.next();
        there = 64;
      }
      const double residual = larger * (z[static_cast<std::size_t>(l)] - fit[l]);
      Z(l, n) = fit[l] + ((bits & 1U) != 0 ? residual : -residual);
      bits >>= 1U;
      --there;
    }
  }
  return Z;
}

// Between the two values around the place, in proportion.
double quantile(std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Stream stream_of(const Seed& seed, const std::vector<double>& z) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(z.data());
  const Digest name = sha256({seed.reveal_secret_bytes(), {bytes, sizeof(double) * z.size()}});
  return {Seed::from_bytes(name), kDrawStream};
}

std::pair<Eigen::VectorXd, Eigen::VectorXd> interval_of(const Loss& loss, const Matrix& X, const std::vector<double>& z,
                                                        const Eigen::VectorXd& y, int draws, const Seed& seed) {
  std::pair<Eigen::VectorXd, Eigen::VectorXd> out(Eigen::VectorXd::Zero(y.size()), Eigen::VectorXd::Zero(y.size()));
  const Components kept = components_of(y);
  if (kept.empty()) return out;
  const Matrix X_kept = some_columns(X, kept);
  const Eigen::VectorXd y_kept = y(kept);
  Stream stream = stream_of(seed, z);
  const bool counts = loss.kind() == LossKind::kPoisson && whole_numbers(z);
  const data::SharedColumns drawn = data::own(counts ? draw_counts(z, draws, stream)
                                                     : draw_residuals(z, X_kept * y_kept, kept.size(), draws, stream));
  Matrix Y = y_kept.replicate(1, draws);
  (void)ColumnSolver(loss, X_kept).solve(*drawn, constants_of(loss, *drawn), Effort::kThorough, Y);
  std::vector<double> values(static_cast<std::size_t>(draws));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (Index n = 0; n < Y.cols(); ++n) values[static_cast<std::size_t>(n)] = Y(static_cast<Index>(i), n);
    std::sort(values.begin(), values.end());
    out.first[kept[i]] = quantile(values, kLow);
    out.second[kept[i]] = quantile(values, kHigh);
  }
  return out;
}

}  // namespace

void ColumnFits::add(const ColumnFits& more) {
  active.insert(active.end(), more.active.begin(), more.active.end());
  cosine.insert(cosine.end(), more.cosine.begin(), more.cosine.end());
}

namespace {

struct ColumnFit {
  double active = -1;  // below zero: the column is all zero
  double cosine = 0;
};

double active_of(const Eigen::VectorXd& sums, const Eigen::Ref<const Eigen::VectorXd>& y) {
  const Eigen::VectorXd parts = sums.cwiseProduct(y);
  return static_cast<double>((parts.array() > kActivePart * parts.sum()).count());
}

double cosine_of(double product, double fit_squares, double z_squares) {
  const double length = std::sqrt(fit_squares) * std::sqrt(z_squares);
  return length > 0 ? std::min(1.0, product / length) : 0;
}

// Of columns that lack nothing, from products with X that follow what is lent.
void fit_block(const Matrix& X, const Eigen::VectorXd& sums, const internal::GroupedColumns& grouped,
               const Matrix& gram, const data::Block& block, const Eigen::Ref<const Matrix>& Y, ColumnFit* out) {
  Matrix XtZ(grouped.groups() * internal::kLanes, internal::round_up(block.count, internal::kTileColumns));
  internal::multiply_block(automatic_lanes(), grouped, block, XtZ);
  for (Index m = 0; m < block.count; ++m) {
    const double squares = data::paired_column_sum(block, m, [](double z) { return z * z; });
    if (!(squares > 0)) continue;
    double product = 0;
    double fit = 0;
    for (Index k = 0; k < X.cols(); ++k) {
      product += Y(k, m) * XtZ(k, m);
      for (Index j = 0; j < X.cols(); ++j) fit += Y(k, m) * gram(j, k) * Y(j, m);
    }
    out[m] = {active_of(sums, Y.col(m)), cosine_of(product, fit, squares)};
  }
}

ColumnFit fit_gappy(const Matrix& X, const data::Columns& columns, Index m, const Eigen::VectorXd& y) {
  const OneColumn column = take_column(X, columns, m);
  const Matrix& X_m = column.X();
  const Eigen::Map<const Eigen::VectorXd> z(column.z.data(), X_m.rows());
  if (!(z.maxCoeff() > 0)) return {};
  Eigen::VectorXd fit = Eigen::VectorXd::Zero(X_m.rows());
  for (Index k = 0; k < X_m.cols(); ++k) fit += y[k] * X_m.col(k);
  return {active_of(X_m.colwise().sum().transpose(), y), cosine_of(fit.dot(z), fit.squaredNorm(), z.squaredNorm())};
}

}  // namespace

ColumnFits column_fits(const Matrix& X, const data::Columns& columns, const Matrix& Y, Executor& executor) {
  PPDNMF_CHECK(Y.rows() == X.cols() && Y.cols() == columns.count());
  std::vector<ColumnFit> of_columns(static_cast<std::size_t>(columns.count()));
  if (data::has_gaps(columns)) {
    executor.for_each(of_columns.size(), [&](std::size_t i) {
      of_columns[i] = fit_gappy(X, columns, static_cast<Index>(i), Y.col(static_cast<Index>(i)));
    });
  } else {
    const internal::GroupedColumns grouped(X);
    const Matrix gram = internal::gram(automatic_lanes(), X, grouped);
    const Eigen::VectorXd sums = X.colwise().sum();
    data::for_each_leaf(data::leaves(columns.rows(), columns.count()), executor,
                        [&](std::size_t /*leaf*/, const data::Range& leaf) {
                          data::walk(columns, leaf, [&](const data::Block& block, const data::Range& range) {
                            fit_block(X, sums, grouped, gram, block, Y.middleCols(range.first, range.count),
                                      of_columns.data() + range.first);
                          });
                        });
  }
  ColumnFits fits;
  for (const ColumnFit& one : of_columns) {
    if (one.active < 0) continue;
    fits.active.push_back(one.active);
    fits.cosine.push_back(one.cosine);
  }
  return fits;
}

ExposureMeasures measures_of(const ColumnFits& fits) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (fits.active.empty()) return {kNone, kNone, kNone, kNone};
  std::vector<double> active = fits.active;
  std::vector<double> cosine = fits.cosine;
  std::sort(active.begin(), active.end());
  std::sort(cosine.begin(), cosine.end());
  double sum = 0;
  for (const double one : active) sum += one;
  return {quantile(active, 0.5), sum / static_cast<double>(active.size()), quantile(cosine, 0.5),
          quantile(cosine, 0.05)};
}

Matrix prune(LossKind loss, const Matrix& X, const data::SharedColumns& columns, const Matrix& Y, double part,
             Executor& executor) {
  PPDNMF_CHECK(Y.rows() == X.cols() && Y.cols() == columns->count() && part > 0);
  fix_product_blocking();
  const std::shared_ptr<const Loss> minimised = loss_of({loss, Curvature::kScaled});
  Matrix out = Y;
  executor.for_each(static_cast<std::size_t>(Y.cols()), [&](std::size_t i) {
    const auto m = static_cast<Index>(i);
    Eigen::VectorXd y = Y.col(m);
    const OneColumn column = take_column(X, *columns, m);
    Elimination(*minimised, column.X(), column.z).run(part, y);
    out.col(m) = y;
  });
  return out;
}

Intervals intervals(LossKind loss, const Matrix& X, const data::SharedColumns& columns, const Matrix& Y, int draws,
                    const Seed& seed, Executor& executor) {
  PPDNMF_CHECK(Y.rows() == X.cols() && Y.cols() == columns->count() && draws >= 1);
  fix_product_blocking();
  const std::shared_ptr<const Loss> minimised = loss_of({loss, Curvature::kScaled});
  Intervals out{Matrix::Zero(Y.rows(), Y.cols()), Matrix::Zero(Y.rows(), Y.cols())};
  executor.for_each(static_cast<std::size_t>(Y.cols()), [&](std::size_t i) {
    const auto m = static_cast<Index>(i);
    const OneColumn column = take_column(X, *columns, m);
    const auto [low, high] = interval_of(*minimised, column.X(), column.z, Y.col(m), draws, seed);
    out.low.col(m) = low;
    out.high.col(m) = high;
  });
  return out;
}

Exposures work_out(LossKind loss, const Matrix& X, const data::SharedColumns& columns, Matrix& Y,
                   const ExposureOptions& options, const Seed& seed, Executor& executor) {
  Exposures out;
  if (options.prune > 0) {
    out.before = column_fits(X, *columns, Y, executor);
    Y = prune(loss, X, columns, Y, options.prune, executor);
  }
  out.now = column_fits(X, *columns, Y, executor);
  if (options.intervals > 0) out.intervals = intervals(loss, X, columns, Y, options.intervals, seed, executor);
  return out;
}

}  // namespace ppdnmf::nmf
