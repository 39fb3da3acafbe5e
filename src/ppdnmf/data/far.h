// Columns that lie in several processes, each of which has whole leaves of them (data/leaves.h).
//
// They can be lent like all others, wherever they lie, which is slow. What is asked of all columns at once is therefore
// asked where they are: every process answers for its own leaves, and the answers are added up here in the tree that
// one process adds them up in, to the bit. The room `spread` implements this.
#ifndef PPDNMF_DATA_FAR_H_
#define PPDNMF_DATA_FAR_H_

#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/data/columns.h>
#include <ppdnmf/data/sums.h>
#include <ppdnmf/data/unit.h>

namespace ppdnmf::data {

class FarColumns : public Columns {
 public:
  using Columns::Columns;

  // What leaf_sums, leaf_row_totals and look_at say of all leaves, from left to right (data/sums.h).
  [[nodiscard]] virtual std::vector<double> far_sums(SumOf what) const = 0;
  [[nodiscard]] virtual std::vector<std::vector<double>> far_row_totals() const = 0;
  [[nodiscard]] virtual EntriesSeen far_look() const = 0;
  // column_totals (data/cap.h).
  [[nodiscard]] virtual std::vector<double> far_column_totals() const = 0;
  // Of the nonzero entries: the same however many processes there are, and however each keeps its columns.
  [[nodiscard]] virtual Digest far_digest() const = 0;

  // unit_columns and capped_columns of these, which lie where these do.
  [[nodiscard]] virtual SharedColumns far_unit(ColumnNorm norm) const = 0;
  [[nodiscard]] virtual SharedColumns far_capped(double cap) const = 0;
};

// Null if the columns lie in this process, or something stands in front of them that is done here.
[[nodiscard]] inline const FarColumns* as_far(const Columns& columns) {
  return dynamic_cast<const FarColumns*>(&columns);
}

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_FAR_H_
