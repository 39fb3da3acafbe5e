// Columns that are kept by their nonzero entries alone.
#ifndef PPDNMF_DATA_NONZEROS_H_
#define PPDNMF_DATA_NONZEROS_H_

#include <cstddef>
#include <limits>
#include <vector>

#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// Entries that are not zero, column after column: twelve bytes each.
struct Nonzeros {
  Index rows = 0;
  std::vector<std::size_t> first{0};  // of every column, and the end
  std::vector<int> row;               // within a column from top to bottom, none twice
  std::vector<double> value;

  [[nodiscard]] Index count() const { return static_cast<Index>(first.size()) - 1; }
};

// The same where somebody else keeps the entries, who outlives whatever looks at them.
struct LentNonzeros {
  Index rows = 0;
  std::vector<std::size_t> first{0};
  const int* row = nullptr;
  const double* value = nullptr;
};

// Columns that own their entries, that look at entries which outlive them and do not change, or at a range of them
// (within them, checked).
[[nodiscard]] SharedColumns own(Nonzeros Z);
[[nodiscard]] SharedColumns lent(LentNonzeros Z);
[[nodiscard]] SharedColumns view(const Nonzeros& Z);
[[nodiscard]] SharedColumns view(const Nonzeros& Z, const Range& range);
SharedColumns view(Nonzeros&& Z) = delete;
SharedColumns view(Nonzeros&& Z, const Range& range) = delete;

// Whether the columns are lent dense; of no columns they are not.
[[nodiscard]] bool lie_dense(const Columns& columns);
// Whether they are lent where they lie, so that to lend all of them at once costs nothing.
[[nodiscard]] bool lie_as_lent(const Columns& columns);

// Whether so few of rows x columns entries are not zero that products of these alone are faster: one in five.
[[nodiscard]] bool are_few(std::size_t nonzeros, Index rows, Index columns);

// The nonzero entries of columns; at most as many rows as an int counts (checked).
[[nodiscard]] Nonzeros nonzeros_of(const Columns& columns);
// Further columns of the same rows (checked) behind those that are there.
void append(Nonzeros& Z, const Nonzeros& more);
// All entries, written out.
[[nodiscard]] Matrix dense_of(const Columns& columns);
// How many entries are not zero; counts no further than it takes to know that there are more than `enough`.
[[nodiscard]] std::size_t count_nonzeros(const Columns& columns,
                                         std::size_t enough = std::numeric_limits<std::size_t>::max());

// The same columns without their zeros if they lie dense and few entries are left, else the columns themselves. What is
// computed from them is the same to the bit.
[[nodiscard]] SharedColumns without_zeros(const SharedColumns& columns);

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_NONZEROS_H_
