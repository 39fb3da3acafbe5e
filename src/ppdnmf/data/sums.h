// What is asked of data before anything is computed from them, and sums over their entries.
#ifndef PPDNMF_DATA_SUMS_H_
#define PPDNMF_DATA_SUMS_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// The sum of numbers that come one after the other, always in the same order: every second one and the others, each in
// two sums in turn. How a walk cuts them into blocks does not matter.
class PairedSum {
 public:
  void add(double x) {
    waiting_[count_++] = x;
    if (count_ < 4) return;
    for (int i = 0; i < 4; ++i) sums_[i] += waiting_[i];
    count_ = 0;
  }
  // entry(0), ..., entry(count - 1).
  template <typename Entry>
  void add(Index count, const Entry& entry) {
    Index i = 0;
    for (; i < count && count_ > 0; ++i) add(entry(i));
    for (; i + 4 <= count; i += 4) {
      for (int j = 0; j < 4; ++j) sums_[j] += entry(i + j);
    }
    for (; i < count; ++i) add(entry(i));
  }
  // So many zeros: they change nothing but the places of what follows.
  void skip(Index count) {
    for (; count > 0 && count_ > 0; --count) add(0.0);
    for (count %= 4; count > 0; --count) add(0.0);
  }
  // entry(z) for every z of column m, in the order of its rows. entry(0) is 0.
  template <typename Entry>
  void add_column(const Block& block, Index m, const Entry& entry) {
    if (block.dense()) {
      const double* const z = block.values + m * block.rows;
      return add(block.rows, [&](Index l) { return entry(z[l]); });
    }
    Index next = 0;
    for_entries(block, m, [&](Index l, double z) {
      skip(l - next);
      add(entry(z));
      next = l + 1;
    });
    skip(block.rows - next);
  }
  // `head`: a number that is added before the last odd one.
  [[nodiscard]] double total(double head = 0) const {
    double even = sums_[0] + sums_[2];
    double odd = sums_[1] + sums_[3];
    const int pair = count_ >= 2 ? 2 : 0;
    if (pair > 0) {
      even += waiting_[0];
      odd += waiting_[1];
    }
    const double sum = even + odd + head;
    return count_ > pair ? sum + waiting_[pair] : sum;
  }

 private:
  double sums_[4] = {};
  double waiting_[4] = {};
  int count_ = 0;
};

// entry(0) + ... + entry(count - 1) in that order; with `lead` (0 or 1) the first number is set aside as the head.
template <typename Entry>
[[nodiscard]] double paired_sum(Index count, Index lead, const Entry& entry) {
  if (count <= lead) return count == 0 ? 0 : entry(0);
  // A head without a pair to join is simply the first number.
  if (count - lead < 2) lead = 0;
  PairedSum sum;
  sum.add(count - lead, [&](Index i) { return entry(lead + i); });
  return sum.total(lead > 0 ? entry(0) : 0);
}

// The same sum of entry(z) over column m of the block; entry(0) is 0.
template <typename Entry>
[[nodiscard]] double paired_column_sum(const Block& block, Index m, const Entry& entry) {
  PairedSum sum;
  sum.add_column(block, m, entry);
  return sum.total();
}

// The sum of all entries, leaf by leaf.
[[nodiscard]] double entry_sum(const Columns& columns, Executor& executor = serial_executor());
// ||Z||², leaf by leaf.
[[nodiscard]] double squared_norm(const Columns& columns, Executor& executor = serial_executor());

// The parts of such sums that leaves add, from left to right.
enum class SumOf : std::uint8_t { kEntries, kSquares };
[[nodiscard]] std::vector<double> leaf_sums(const Columns& columns, const std::vector<Range>& leaves, SumOf what,
                                            Executor& executor);
[[nodiscard]] std::vector<std::vector<double>> leaf_row_totals(const Columns& columns, const std::vector<Range>& leaves,
                                                               Executor& executor);

// What check_factorizable needs to know of entries.
struct EntriesSeen {
  bool fit = true;     // nonnegative and finite
  bool finite = true;  // meant only if not fit
  double largest = 0;
};
// Looks at all entries, and adds what it sees.
void look_at(const Columns& columns, EntriesSeen& seen);

// Whether all entries are whole numbers.
[[nodiscard]] bool all_whole(const Columns& columns);

// The sums of rows, each entry divided by `scale`, a power of two; leaf by leaf.
[[nodiscard]] std::vector<double> row_totals(const Columns& columns, double scale,
                                             Executor& executor = serial_executor());

// kUnique: at most min(rows, columns). kAny: above it, too, where no factors are the only ones; at most the larger
// side, or 100, since no memory would hold more.
enum class Ranks : std::uint8_t { kUnique, kAny };

// Whether holders' columns together can be factorised with this rank: nonnegative, finite, not empty, not all zero,
// no row and no column missing altogether (data/gaps.h), the largest entry as data/matrix.h says, 1 <= rank as `ranks`
// says. Fails with kInvalidData or kUsage. All holders have the same rows, and there is at least one (checked).
[[nodiscard]] Status check_factorizable(std::span<const SharedColumns> holders, Index rank,
                                        Ranks ranks = Ranks::kUnique);

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_SUMS_H_
