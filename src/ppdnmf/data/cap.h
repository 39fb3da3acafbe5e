// A common upper limit for the totals of columns: a quantile of them, found from counts alone.
//
// So that holders who share nothing but sums find it, it is looked for in three sums of kBins counts each. Totals are
// sorted into bins by the leading bits of their binary form: first by the size of the exponent (bins of 32 octaves),
// then into half octaves of the bin that holds the quantile, then into 64 parts of that. Counts are whole numbers, so
// that the limit is the same to the bit however columns are divided among holders.
#ifndef PPDNMF_DATA_CAP_H_
#define PPDNMF_DATA_CAP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// The sum of every column's entries. A column's does not depend on where the column lies.
[[nodiscard]] std::vector<double> column_totals(const Columns& columns, Executor& executor = serial_executor());

// The search for the Q-quantile of totals; columns whose total is zero do not count. Every holder adds counts() of its
// own totals, and everybody absorbs the sums.
class CapSearch {
 public:
  static constexpr int kSums = 3;
  static constexpr std::size_t kBins = 64;

  // 0 < quantile < 1 (checked).
  explicit CapSearch(double quantile);

  // How many of these totals, which are finite and not negative, lie in each bin of the present sum. Not when done().
  [[nodiscard]] std::vector<double> counts(std::span<const double> totals) const;
  // The sums of all holders' counts. Fails with kPeer if they cannot be such sums, with `columns` columns in all; with
  // kInvalidData if every total is zero.
  [[nodiscard]] Status absorb(std::span<const double> counts, Index columns);
  [[nodiscard]] int sums() const { return sums_; }  // absorbed so far
  [[nodiscard]] bool done() const { return sums_ == kSums; }
  // The upper end of the bin that the ceil(Q n)-th smallest of n totals lies in: above that total, by less than 0.8 %.
  [[nodiscard]] double cap() const;

  // The state; `load` goes into a search for the same quantile.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  // False after loading damaged bytes.
  [[nodiscard]] bool in_range() const;

 private:
  double quantile_;
  std::int32_t sums_ = 0;       // absorbed so far
  std::uint64_t digits_ = 0;    // the leading bits of the quantile, as far as they are known
  std::uint64_t inside_ = 0;    // columns whose total has these bits
  std::uint64_t position_ = 0;  // of the quantile among them, from 1
};

// What one machine that has all columns finds: the same. Fails with kInvalidData if every total is zero.
[[nodiscard]] Result<double> cap_of(std::span<const SharedColumns> holders, double quantile,
                                    Executor& executor = serial_executor());

// Columns whose total is above the cap, scaled down to it; coordinates come back in units of `columns`.
[[nodiscard]] SharedColumns capped_columns(SharedColumns columns, double cap, Executor& executor = serial_executor());

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_CAP_H_
