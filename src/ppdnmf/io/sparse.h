// What readers of sparse formats share: from entries in any order to columns of nonzeros.
#ifndef PPDNMF_IO_SPARSE_H_
#define PPDNMF_IO_SPARSE_H_

#include <cstdint>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/data/nonzeros.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

// Entries one by one, each with its place from 0.
struct Entries {
  std::vector<int> row, column;
  std::vector<double> value;
};

// Whether a side may be so long beside the number of entries; longer ones are a header's claim, not a matrix.
[[nodiscard]] bool is_believed(std::uint64_t side, std::uint64_t entries);

// Fails with kFile if a side is zero, if there are more entries than the limits allow, or if a side is so long beside
// the number of entries that its length is not believed; and as check_size does unless sparse matrices are kept.
[[nodiscard]] Status check_sparse_size(std::uint64_t rows, std::uint64_t columns, std::uint64_t entries,
                                       const ReadLimits& limits);

// Column after column, tidied, in the memory that the entries have; all places are within (unchecked), and there are
// fewer entries than an int counts (checked).
[[nodiscard]] data::Nonzeros compress(Index rows, Index columns, Entries entries);
// Brings a column's entries into the order of rows, adds up those with one place, in the order in which they stood, and
// drops zeros.
void tidy(data::Nonzeros& Z);

// The tidied entries as a table: kept if the limits say so and they are few, else written out. Fails as make_matrix
// does.
[[nodiscard]] Result<Table> sparse_table(data::Nonzeros Z, const ReadLimits& limits);

// Of nonzeros that change hands, and of a table's values, dense or not.
[[nodiscard]] Status write_out(Table& table, const ReadLimits& limits = {});
[[nodiscard]] Digest values_digest(const Table& table);

// The rows of every column in another order: new row l is the old row order[l].
void reorder_rows(data::Nonzeros& Z, const std::vector<Index>& order);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_SPARSE_H_
