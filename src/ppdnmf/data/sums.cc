#include <ppdnmf/data/sums.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <ppdnmf/data/far.h>
#include <ppdnmf/data/gaps.h>
#include <ppdnmf/data/leaves.h>

namespace ppdnmf::data {
namespace {

// The sum of f(z) over all entries z of every leaf; f(0) is 0.
template <typename F>
std::vector<double> sums_of(const Columns& columns, const std::vector<Range>& leaves, Executor& executor, const F& f) {
  std::vector<double> sums(leaves.size());
  for_each_leaf(leaves, executor, [&](std::size_t i, const Range& leaf) {
    PairedSum sum;
    walk(columns, leaf, [&](const Block& block, const Range&) {
      for (Index m = 0; m < block.count; ++m) sum.add_column(block, m, f);
    });
    sums[i] = sum.total();
  });
  return sums;
}

double sum_of(const Columns& columns, SumOf what, Executor& executor) {
  const FarColumns* const far = as_far(columns);
  std::vector<double> sums = far != nullptr
                                 ? far->far_sums(what)
                                 : leaf_sums(columns, leaves(columns.rows(), columns.count()), what, executor);
  return add_up(std::move(sums), [](double& a, double b) { a += b; });
}

}  // namespace

std::vector<double> leaf_sums(const Columns& columns, const std::vector<Range>& leaves, SumOf what,
                              Executor& executor) {
  if (what == SumOf::kEntries) return sums_of(columns, leaves, executor, [](double z) { return z; });
  return sums_of(columns, leaves, executor, [](double z) { return z * z; });
}

void look_at(const Columns& columns, EntriesSeen& seen) {
  if (const FarColumns* const far = as_far(columns)) {
    const EntriesSeen there = far->far_look();
    if (!there.fit) seen = {false, seen.finite && there.finite, seen.largest};
    seen.largest = std::max(seen.largest, there.largest);
    return;
  }
  walk(columns, {0, columns.count()}, [&](const Block& block, const Range&) {
    const double* const z = block.dense() ? block.values : block.value;
    const std::size_t size =
        block.dense() ? static_cast<std::size_t>(block.rows * block.count) : block.entries_before(block.count);
    bool fit = true;
    double largest = seen.largest;
    for (std::size_t i = 0; i < size; ++i) {
      fit = fit && z[i] >= 0 && z[i] <= std::numeric_limits<double>::max();
      largest = std::max(largest, z[i]);
    }
    seen.largest = largest;
    if (fit) return;
    seen.fit = false;
    seen.finite = seen.finite && std::all_of(z, z + size, [](double x) { return std::isfinite(x); });
  });
}

double entry_sum(const Columns& columns, Executor& executor) { return sum_of(columns, SumOf::kEntries, executor); }

bool all_whole(const Columns& columns) {
  bool whole = true;
  walk(columns, {0, columns.count()}, [&](const Block& block, const Range&) {
    for (Index m = 0; m < block.count && whole; ++m)
      for_entries(block, m, [&](Index /*row*/, double z) { whole = whole && z == std::floor(z); });
  });
  return whole;
}

std::vector<std::vector<double>> leaf_row_totals(const Columns& columns, const std::vector<Range>& leaves,
                                                 Executor& executor) {
  std::vector<std::vector<double>> sums(leaves.size(), std::vector<double>(static_cast<std::size_t>(columns.rows())));
  for_each_leaf(leaves, executor, [&](std::size_t i, const Range& leaf) {
    walk(columns, leaf, [&](const Block& block, const Range&) {
      for (Index m = 0; m < block.count; ++m)
        for_entries(block, m, [&](Index l, double z) { sums[i][static_cast<std::size_t>(l)] += z; });
    });
  });
  return sums;
}

std::vector<double> row_totals(const Columns& columns, double scale, Executor& executor) {
  using Totals = std::vector<double>;
  const FarColumns* const far = as_far(columns);
  std::vector<Totals> sums = far != nullptr
                                 ? far->far_row_totals()
                                 : leaf_row_totals(columns, leaves(columns.rows(), columns.count()), executor);
  Totals all = add_up(std::move(sums), [](Totals& a, const Totals& b) {
    std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<>());
  });
  for (double& total : all) total /= scale;
  return all;
}

double squared_norm(const Columns& columns, Executor& executor) { return sum_of(columns, SumOf::kSquares, executor); }

Status check_factorizable(std::span<const SharedColumns> holders, Index rank, Ranks ranks) {
  PPDNMF_CHECK(!holders.empty());
  const Index rows = holders[0]->rows();
  Index count = 0;
  for (const SharedColumns& holder : holders) {
    PPDNMF_CHECK(holder->rows() == rows);
    count += holder->count();
  }
  if (rows == 0 || count == 0)
    return error(ErrorCode::kInvalidData, "there is nothing to factorise: {} x {}", rows, count);
  EntriesSeen seen;
  std::vector<double> present(static_cast<std::size_t>(rows));
  for (const SharedColumns& holder : holders) {
    look_at(*holder, seen);
    PPDNMF_TRY_STATUS(check_no_empty_column(*holder));
    const std::vector<double> own = present_counts(*holder);
    std::transform(own.begin(), own.end(), present.begin(), present.begin(), std::plus<>());
  }
  PPDNMF_TRY_STATUS(check_no_empty_row(present));
  if (!seen.fit && !seen.finite)
    return error(ErrorCode::kInvalidData, "the data hold a value that is not a finite number");
  if (!seen.fit) return error(ErrorCode::kInvalidData, "the data hold a negative value");
  if (seen.largest <= 0) return error(ErrorCode::kInvalidData, "all entries are zero: there is nothing to factorise");
  if (seen.largest < kSmallestMaximum || seen.largest > kLargestMaximum) {
    return error(ErrorCode::kInvalidData, "the largest entry is {:g}: choose a unit in which it is from {:g} to {:g}",
                 seen.largest, kSmallestMaximum, kLargestMaximum);
  }
  if (rank < 1) return error(ErrorCode::kUsage, "the rank must be at least 1, not {}", rank);
  constexpr Index kAlwaysAllowed = 100;
  const Index most = ranks == Ranks::kUnique ? std::min(rows, count) : std::max({rows, count, kAlwaysAllowed});
  if (rank > most) {
    return error(ErrorCode::kUsage, "rank {} is larger than the data allow: {} rows and {} columns give at most {}",
                 rank, rows, count, most);
  }
  return {};
}

}  // namespace ppdnmf::data
