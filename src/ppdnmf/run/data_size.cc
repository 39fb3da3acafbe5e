#include <ppdnmf/run/data_size.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <ppdnmf/base/random.h>
#include <ppdnmf/data/dense.h>
#include <ppdnmf/data/nonzeros.h>

namespace ppdnmf::run {

Index DataSize::all_columns() const { return std::accumulate(columns.begin(), columns.end(), Index{0}); }

Index DataSize::columns_of_one() const {
  return std::max<Index>(1, all_columns() / std::max<Index>(1, static_cast<Index>(columns.size())));
}

std::uint64_t DataSize::bytes() const {
  const auto count = static_cast<std::uint64_t>(all_columns());
  if (!nonzeros) return static_cast<std::uint64_t>(rows) * count * sizeof(double);
  return *nonzeros * (sizeof(double) + sizeof(int)) + count * sizeof(std::size_t);
}

Matrix draw_matrix(std::uint64_t seed, Index rows, Index columns) {
  Stream stream(Seed::from_number(seed), 'E');
  Matrix m(rows, columns);
  for (Index t = 0; t < m.size(); ++t) m.data()[t] = stream.uniform();
  return m;
}

data::SharedColumns draw_columns(std::uint64_t seed, const DataSize& size) {
  const Index own = size.columns_of_one();
  if (!size.nonzeros) return data::own(draw_matrix(seed, size.rows, own));
  const auto rows = static_cast<double>(size.rows);
  const double of_column = std::clamp(
      static_cast<double>(*size.nonzeros) / static_cast<double>(std::max<Index>(1, size.all_columns())), 1.0, rows);
  Stream stream(Seed::from_number(seed), 'E');
  data::Nonzeros Z;
  Z.rows = size.rows;
  double due = 0;  // entries, with the parts that are left over from column to column
  for (Index m = 0; m < own; ++m) {
    due += of_column;
    const auto entries = static_cast<Index>(due);
    due -= static_cast<double>(entries);
    // One in each of as many stretches of rows.
    for (Index i = 0; i < entries; ++i) {
      const double part = (static_cast<double>(i) + stream.uniform()) / static_cast<double>(entries);
      const double place = std::floor(part * rows);
      if (Z.row.size() > Z.first.back() && static_cast<int>(place) <= Z.row.back()) continue;
      Z.row.push_back(static_cast<int>(std::min(place, rows - 1)));
      Z.value.push_back(0.5 + stream.uniform());
    }
    Z.first.push_back(Z.row.size());
  }
  return data::own(std::move(Z));
}

}  // namespace ppdnmf::run
