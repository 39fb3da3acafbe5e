#include "coordinates.h"

#include <algorithm>

#include "errors.h"
#include <ppdnmf/nmf/nnls.h>

namespace ppdnmf::python {
namespace {

// So many columns that a part of them takes a fraction of a second, and a multiple of what the products' kernels take
// at once, so that the parts do not show in the bytes.
Index columns_at_a_time(Index rows, Index rank) {
  constexpr double kOperations = 1e9;
  constexpr Index kKernel = 16;
  constexpr Index kMax = 4096;
  const auto K = static_cast<double>(rank);
  const double per_column = K * static_cast<double>(rows) + 10 * K * K * K;
  return std::clamp(static_cast<Index>(kOperations / per_column) / kKernel * kKernel, kKernel, kMax);
}

}  // namespace

Coordinates exact_coordinates(const Matrix& X, const Samples& Z, const Matrix& guess) {
  if (X.rows() != Z.rows()) {
    raise({ErrorCode::kUsage, fmt::format("the components have {} features, the samples {}", X.rows(), Z.rows())});
  }
  if (X.size() == 0 || !X.allFinite()) raise({ErrorCode::kUsage, "the components must be finite numbers"});
  Coordinates result;
  result.Y.resize(X.cols(), Z.cols());
  const auto work = [&](Monitor& monitor) -> Status {
    const Index step = columns_at_a_time(X.rows(), X.cols());
    for (Index first = 0; first < Z.cols() && !monitor.given_up(); first += step) {
      const Index count = std::min(step, Z.cols() - first);
      const Matrix part = Z.middleCols(first, count);
      if (!part.allFinite()) {
        return error(ErrorCode::kInvalidData, "the samples hold a value that is not a finite number");
      }
      auto Y = result.Y.middleCols(first, count);
      Y = guess.size() == 0 ? nmf::nonnegative_least_squares(X, part)
                            : nmf::nonnegative_least_squares(X, part, guess.middleCols(first, count));
      result.squared_error += (part - X * Y).squaredNorm();
      result.squared_norm += part.squaredNorm();
    }
    return {};
  };
  run_in_background(work, OnGivingUp::kWaitForIt);
  return result;
}

}  // namespace ppdnmf::python
