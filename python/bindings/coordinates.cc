#include "coordinates.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "errors.h"
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/nmf/gappy_fit.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/nmf/nnls.h>

namespace ppdnmf::python {
namespace {

// So many columns that a part of them takes a fraction of a second and its copies a few megabytes for each thread, and
// a multiple of what the products' kernels take at once, so that the parts do not show in the bytes.
Index columns_at_a_time(Index rows, Index rank) {
  constexpr double kOperations = 1e9;
  constexpr double kEntries = 1 << 20;
  constexpr Index kKernel = 16;
  constexpr Index kMax = 4096;
  const auto K = static_cast<double>(rank);
  const double per_column = K * static_cast<double>(rows) + 10 * K * K * K;
  const double columns = std::min(kOperations / per_column, kEntries / static_cast<double>(rows));
  return std::clamp(static_cast<Index>(columns) / kKernel * kKernel, kKernel, kMax);
}

// Columns first, ..., first + count - 1: their coordinates into Y, and what they add to the squares.
struct Squares {
  double error = 0;
  double norm = 0;
};
Result<Squares> solve_part(const Matrix& X, const SampleColumns& Z, Index first, Index count, const Matrix& guess,
                           const Matrix& shrink, Matrix& Y) {
  Matrix part;
  const data::SharedColumns columns = Z.part(first, count, part);
  auto own = Y.middleCols(first, count);
  if (data::has_gaps(*columns)) {
    own = nmf::gappy_coordinates(X, *columns, serial_executor(), shrink);
    const nmf::LocalFit fit = nmf::gappy_fit(X, *columns, own);
    return Squares{fit.squared_error, fit.squared_norm};
  }
  if (!part.allFinite()) {
    return error(ErrorCode::kInvalidData, "the samples hold a value that is not a finite number");
  }
  own = guess.size() == 0 ? nmf::nonnegative_least_squares(X, *columns)
                          : nmf::nonnegative_least_squares(X, *columns, guess.middleCols(first, count));
  const nmf::LocalFit fit = nmf::fit_of(X, *columns, own);
  return Squares{fit.squared_error, fit.squared_norm};
}

void check_shapes(const Matrix& X, const SampleColumns& Z) {
  if (X.rows() != Z.rows()) {
    raise({ErrorCode::kUsage, fmt::format("the components have {} features, the samples {}", X.rows(), Z.rows())});
  }
  if (X.size() == 0 || !X.allFinite()) raise({ErrorCode::kUsage, "the components must be finite numbers"});
}

}  // namespace

Coordinates best_coordinates(const Matrix& X, const SampleColumns& Z, const nmf::LossOptions& loss,
                             std::size_t threads) {
  check_shapes(X, Z);
  Coordinates result;
  const auto work = [&](Monitor& /*monitor*/) -> Status {
    Matrix samples;
    const data::SharedColumns columns = Z.all(samples);
    if (samples.array().isInf().any())
      return error(ErrorCode::kInvalidData, "the samples hold a value that is not a finite number");
    host::ThreadPool pool(host::threads_or_all(threads));
    result.Y = nmf::best_coordinates(X, columns, loss, pool);
    const nmf::LocalFit fit = nmf::fit_of(X, *columns, result.Y, pool);
    result.squared_error = fit.squared_error;
    result.squared_norm = fit.squared_norm;
    if (loss.kind == nmf::LossKind::kPoisson) result.divergence = nmf::divergence_of(X, *columns, result.Y, pool);
    return {};
  };
  run_in_background(work, OnGivingUp::kWaitForIt);
  return result;
}

Coordinates exact_coordinates(const Matrix& X, const SampleColumns& Z, std::size_t threads, const Matrix& guess,
                              const Matrix& shrink) {
  check_shapes(X, Z);
  Coordinates result;
  result.Y.resize(X.cols(), Z.count());
  const auto work = [&](Monitor& monitor) -> Status {
    const Index step = columns_at_a_time(X.rows(), X.cols());
    const Index parts = (Z.count() + step - 1) / step;
    const auto useful = std::min(host::threads_or_all(threads), static_cast<std::size_t>(std::max<Index>(1, parts)));
    host::ThreadPool pool(useful);
    for (Index done = 0; done < parts && !monitor.given_up(); done += static_cast<Index>(useful)) {
      std::vector<Result<Squares>> some(std::min(useful, static_cast<std::size_t>(parts - done)), Squares{});
      pool.for_each(some.size(), [&](std::size_t i) {
        const Index first = (done + static_cast<Index>(i)) * step;
        some[i] = solve_part(X, Z, first, std::min(step, Z.count() - first), guess, shrink, result.Y);
      });
      for (Result<Squares>& one : some) {
        PPDNMF_TRY(const Squares squares, std::move(one));
        result.squared_error += squares.error;
        result.squared_norm += squares.norm;
      }
    }
    return {};
  };
  run_in_background(work, OnGivingUp::kWaitForIt);
  return result;
}

}  // namespace ppdnmf::python
