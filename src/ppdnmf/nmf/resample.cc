#include <ppdnmf/nmf/resample.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>

namespace ppdnmf::nmf {
namespace {

constexpr std::uint8_t kPurpose = 'R';
constexpr double kNormalFrom = 32;

// e^-x for 0 <= x < kNormalFrom, by a series for the 64th part of it: libraries differ in the last digit.
double exp_of_minus(double x) {
  const double part = x / 64;
  double sum = 1;
  for (int n = 16; n >= 1; --n) sum = 1 - part / n * sum;
  for (int n = 0; n < 6; ++n) sum *= sum;
  return sum;
}

Seed seed_of_column(const Seed& seed, const double* column, Index rows) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(column);
  return Seed::from_bytes(
      sha256({seed.reveal_secret_bytes(), {bytes, sizeof(double) * static_cast<std::size_t>(rows)}}));
}

}  // namespace

// Twelve uniform numbers of sixteen bits each.
double draw_normal(Stream& stream) {
  constexpr int kWords = 3;
  constexpr int kPieces = 4;
  constexpr int kBits = 16;
  std::uint64_t sum = 0;
  for (int n = 0; n < kWords; ++n) {
    std::uint64_t word = stream.next();
    for (int piece = 0; piece < kPieces; ++piece, word >>= kBits) sum += word & 0xffffU;
  }
  constexpr double kCount = kWords * kPieces;
  return (static_cast<double>(sum) + kCount / 2) * 0x1p-16 - kCount / 2;
}

double draw_poisson(double mean, Stream& stream) {
  PPDNMF_CHECK(std::isfinite(mean) && mean >= 0);
  if (mean >= kNormalFrom) return std::max(0.0, std::floor(mean + std::sqrt(mean) * draw_normal(stream) + 0.5));
  if (mean == 0) return 0;
  const double u = stream.uniform();
  double term = exp_of_minus(mean);
  double sum = term;
  double count = 0;
  constexpr double kMost = 200;  // where terms are below what a double adds
  while (u >= sum && count < kMost) {
    ++count;
    term *= mean / count;
    sum += term;
  }
  return count;
}

data::SharedColumns resampled(const data::Columns& columns, LossKind loss, const Seed& seed, Executor& executor) {
  const Index rows = columns.rows();
  const Index count = columns.count();
  Matrix units = Matrix::Ones(1, count);  // what a column is multiplied with to be the owner's
  columns.restore_units(units);
  Matrix Z(rows, count);
  data::for_each_leaf(data::leaves(rows, count), executor, [&](std::size_t /*leaf*/, const data::Range& range) {
    std::vector<double> space;
    data::walk(columns, range, [&](const data::Block& block, const data::Range& part) {
      for (Index m = 0; m < block.count; ++m) {
        const double* const z = data::dense_column(block, m, space);
        const Index at = part.first + m;
        Stream stream(seed_of_column(seed, z, rows), kPurpose);
        if (loss == LossKind::kSquares) {
          const double root = std::sqrt(draw_poisson(1, stream));
          for (Index l = 0; l < rows; ++l) Z(l, at) = root * z[l];
          continue;
        }
        const double unit = units(0, at);
        for (Index l = 0; l < rows; ++l) Z(l, at) = z[l] > 0 ? draw_poisson(z[l] * unit, stream) / unit : 0;
      }
    });
  });
  return data::own(std::move(Z));
}

}  // namespace ppdnmf::nmf
