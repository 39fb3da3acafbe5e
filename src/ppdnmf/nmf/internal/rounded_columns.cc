#include <ppdnmf/nmf/internal/rounded_columns.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <ppdnmf/base/result.h>

namespace ppdnmf::nmf::internal {
namespace {

constexpr double kLongerThanRoundOff = 1 + 1e-12;

double length_of(const double* values, Index count, double scale) {
  const double largest = count == 0 ? 0 : *std::max_element(values, values + count);
  if (!(largest > 0)) return 0;
  double squares = 0;
  for (Index i = 0; i < count; ++i) squares += values[i] / largest * (values[i] / largest);
  return largest / scale * std::sqrt(squares);
}

double squares_of(const double* integers, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += integers[i] * integers[i];
  return sum;
}

// The part of the triangle that stands in some columns of Z Zᵀ, from all columns of Z. All sums are exact, so their
// order does not matter.
class TrianglePanel {
 public:
  TrianglePanel(const data::Columns& columns, double scale, int bits, Index first, Index width)
      : columns_(columns), scale_(scale), bits_(bits), first_(first), sum_(Matrix::Zero(first + width, width)) {}

  // Returns how many columns were longer than one.
  Index add_up() {
    Index shortened = 0;
    data::walk(columns_, {0, columns_.count()}, [&](const data::Block& block, const data::Range& range) {
      shortened += block.dense() ? add_dense(block, range.first) : add_nonzeros(block, range.first);
    });
    return shortened;
  }
  void write(double* triangle) const {
    for (Index k = 0; k < sum_.cols(); ++k) {
      const Index column = first_ + k;
      std::copy_n(sum_.data() + k * sum_.rows(), column + 1, triangle + column * (column + 1) / 2);
    }
  }

 private:
  Index add_dense(const data::Block& block, Index first_column) {
    Index shortened = 0;
    Matrix rounded(block.rows, block.count);
    for (Index m = 0; m < block.count; ++m) {
      const double* const z = block.values + m * block.rows;
      const Index of_person = columns_.columns_of_person(first_column + m);
      shortened += round_column(z, block.rows, scale_, bits_, rounded.data() + m * block.rows, of_person) ? 1 : 0;
    }
    sum_.noalias() += rounded.topRows(sum_.rows()) * rounded.middleRows(first_, sum_.cols()).transpose();
    return shortened;
  }

  Index add_nonzeros(const data::Block& block, Index first_column) {
    Index shortened = 0;
    for (Index m = 0; m < block.count; ++m) {
      const std::size_t from = block.entries_before(m);
      const std::size_t count = block.entries_before(m + 1) - from;
      integers_.resize(count);
      const Index of_person = columns_.columns_of_person(first_column + m);
      shortened +=
          round_column(block.value + from, static_cast<Index>(count), scale_, bits_, integers_.data(), of_person) ? 1
                                                                                                                  : 0;
      const int* const row = block.row + from;
      for (std::size_t j = 0; j < count; ++j) {
        if (row[j] < first_ || row[j] >= first_ + sum_.cols()) continue;
        double* const to = sum_.data() + (row[j] - first_) * sum_.rows();
        for (std::size_t i = 0; i <= j; ++i) to[row[i]] += integers_[i] * integers_[j];
      }
    }
    return shortened;
  }

  const data::Columns& columns_;
  double scale_;
  int bits_;
  Index first_;
  Matrix sum_;  // rows 0 to the last of these columns
  std::vector<double> integers_;
};

}  // namespace

bool round_column(const double* values, Index count, double scale, int bits, double* integers, Index of_person) {
  constexpr int kTries = 4;
  constexpr double kShorter = 0.999;
  const double length = length_of(values, count, scale) * std::sqrt(static_cast<double>(of_person));
  const double limit = std::floor(std::ldexp(1, 2 * bits) / static_cast<double>(of_person));
  double factor = std::ldexp(1, bits) / scale;
  if (length > 1) factor /= length;
  for (int n = 0;; ++n) {
    const bool nearest = n < kTries;
    // Rounded down, a column of length one cannot be too long but for round-off.
    for (Index i = 0; i < count; ++i)
      integers[i] = nearest ? std::nearbyint(values[i] * factor) : std::floor(values[i] * factor);
    const double squares = squares_of(integers, count);
    if (squares <= limit) return length > kLongerThanRoundOff;
    factor *= nearest ? std::sqrt(limit / squares) : kShorter;
  }
}

RoundedSecondMoments rounded_second_moments(const data::Columns& columns, double scale, int bits, Executor& executor) {
  constexpr Index kWidth = 128;  // columns of Z Zᵀ that a thread works on
  const Index rows = columns.rows();
  RoundedSecondMoments out;
  out.values.assign(static_cast<std::size_t>(rows * (rows + 1) / 2), 0);
  const auto panels = static_cast<std::size_t>((rows + kWidth - 1) / kWidth);
  std::vector<Index> shortened(panels);
  executor.for_each(panels, [&](std::size_t i) {
    const Index first = static_cast<Index>(i) * kWidth;
    TrianglePanel panel(columns, scale, bits, first, std::min(kWidth, rows - first));
    shortened[i] = panel.add_up();
    panel.write(out.values.data());
  });
  out.shortened = panels == 0 ? 0 : shortened.front();  // every panel walks over all columns
  return out;
}

}  // namespace ppdnmf::nmf::internal
