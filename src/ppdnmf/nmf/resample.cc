#include <ppdnmf/nmf/resample.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/leaves.h>
#include <ppdnmf/data/nonzeros.h>

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

namespace {

// The column z as it might have come out: visit(row, entry) for every entry that is not zero.
template <typename Visit>
void draw_column(const data::Block& block, Index m, LossKind loss, double unit, Stream& stream, const Visit& visit) {
  const double root = loss == LossKind::kSquares ? std::sqrt(draw_poisson(1, stream)) : 0;
  data::for_entries(block, m, [&](Index l, double z) {
    if (!(z > 0)) return;
    visit(l, loss == LossKind::kSquares ? root * z : draw_poisson(z * unit, stream) / unit);
  });
}

data::Nonzeros new_nonzeros(Index rows) {
  data::Nonzeros out;
  out.rows = rows;
  return out;
}

data::Nonzeros join(std::vector<data::Nonzeros> parts) {
  data::Nonzeros all = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    data::append(all, parts[i]);
    parts[i] = {};
  }
  return all;
}

}  // namespace

data::SharedColumns resampled(const data::Columns& columns, LossKind loss, const Seed& seed, Executor& executor) {
  const Index rows = columns.rows();
  const Index count = columns.count();
  Matrix units = Matrix::Ones(1, count);  // what a column is multiplied with to be the owner's
  columns.restore_units(units);
  const bool dense = data::lie_dense(columns);
  Matrix Z = dense ? Matrix(Matrix::Zero(rows, count)) : Matrix();
  const std::vector<data::Range> leaves = data::leaves(rows, count);
  std::vector<data::Nonzeros> parts(dense ? 0 : leaves.size(), new_nonzeros(rows));
  data::for_each_leaf(leaves, executor, [&](std::size_t leaf, const data::Range& range) {
    std::vector<double> space;
    data::walk(columns, range, [&](const data::Block& block, const data::Range& part) {
      for (Index m = 0; m < block.count; ++m) {
        const Index at = part.first + m;
        Stream stream(seed_of_column(seed, data::dense_column(block, m, space), rows), kPurpose);
        draw_column(block, m, loss, units(0, at), stream, [&](Index l, double z) {
          if (dense) {
            Z(l, at) = z;
          } else if (z != 0) {
            parts[leaf].row.push_back(static_cast<int>(l));
            parts[leaf].value.push_back(z);
          }
        });
        if (!dense) parts[leaf].first.push_back(parts[leaf].row.size());
      }
    });
  });
  return dense ? data::own(std::move(Z)) : data::own(join(std::move(parts)));
}

}  // namespace ppdnmf::nmf
