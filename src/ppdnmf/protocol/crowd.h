// Exact totals need a crowd behind every number. The one place where it is said how large.
//
// Row l of S = Z Yᵀ is the sum over columns of z_l yᵀ. If one column alone has the row, whoever sees S reads its y in
// every round and solves for the column; if one column is much of the row, of the squared norm, or of a direction that
// X will have, it shows (docs/threat_model.md, A14 and A15). Each agent looks at its own columns before its first
// message: it needs nobody's word for it, and what others have only adds to the crowd.
#ifndef PPDNMF_PROTOCOL_CROWD_H_
#define PPDNMF_PROTOCOL_CROWD_H_

#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>

namespace ppdnmf::protocol {

struct CrowdRule {
  // A row has none or at least so many nonzero columns; where entries may be missing, none or at least so many that
  // have it, too.
  Index fewest = 10;
  double part = 0.1;  // no column has more of sum_j z_lj |z_j| in any row l
  // No column has more of sum_j |z_j|². Less than of a row, since a column that is large shows in every row; and one
  // member may hold nearly all columns, so that all that the others have is what this agent has. Twenty columns of
  // equal length keep to it.
  double norm_part = 0.05;
  // The same of every cell (Z Zᵀ)_kl = sum_j z_kj z_lj, k < l, for runs that open these: none or at least `fewest`
  // columns have both rows, and none has more than `part` of the cell.
  bool cells = false;
  // No column has more of any of the leading directions of these columns (nmf/leverage.h): a column that is like hardly
  // any other has one for itself, however little it has of rows and of the norm, and X comes to point its way. As many
  // directions as X has components, or a fifth of the columns if that is less: among fewer every column has much of
  // one; 0: nobody asks. What others have takes a direction away or adds to it: none that is not leading here will lead
  // among all columns.
  Index directions = 0;
  double direction_part = 0.5;
};

// Of columns that are resampled again and again, as in a search for the number of components (nmf/resample.h): in a
// start more than a third of the columns behind a row may not count, and some count several times. Of 40 at least ten
// are left in each of 190 starts, but for one search in 29,000.
[[nodiscard]] constexpr CrowdRule resampled_crowd() { return {40, 0.05, 0.025, false}; }

// What is against the rule in some columns; numbers count from zero.
struct Crowd {
  std::vector<Index> thin;                     // rows that some columns have, but fewer than `fewest`
  std::vector<Index> led;                      // other rows of which one column has more than its part
  std::vector<Index> large;                    // columns with more than their part of the squared norm
  std::vector<std::pair<Index, Index>> cells;  // thin or led ones, if the rule asks; of rows that are neither
  // Columns with more than their part of a direction, and that part; looked at where there is nothing else to say.
  std::vector<std::pair<Index, double>> unlike;
  [[nodiscard]] bool enough() const {
    return thin.empty() && led.empty() && large.empty() && cells.empty() && unlike.empty();
  }
};
[[nodiscard]] Crowd look_at_crowd(const data::Columns& columns, const CrowdRule& rule = {});

// One sentence that names the rows as `row_names` does (empty: by number); for the owner of the columns alone.
[[nodiscard]] std::string describe(const Crowd& crowd, const CrowdRule& rule,
                                   const std::vector<std::string>& row_names);

// Rows that must go for all agents so that these columns can keep to the rule (`crowd=drop`): the thin ones. Entries
// and columns that are too large can be lowered, which with_crowd does.
[[nodiscard]] std::vector<Index> rows_to_drop(const data::Columns& columns, const CrowdRule& rule = {});

// The same columns with zeros in these rows, and whatever else with_crowd has to do then. Fails as with_crowd does.
[[nodiscard]] Result<data::SharedColumns> without_rows(data::SharedColumns columns, const std::vector<Index>& rows,
                                                       const CrowdRule& rule = {});

// "row b", "rows 3, 7 and 2 more": by name if there are names, else by number from one; the first five.
[[nodiscard]] std::string list_rows(const std::vector<Index>& rows, const std::vector<std::string>& names);

// The same columns with a crowd: thin rows become zero, or missing if few columns have them, entries that lead a row
// are lowered to their part of it, columns that are too large or like no other are scaled down (to zero, if less than a
// hundredth were left), and of a cell without a crowd the columns that have both rows lose the smaller entry (thin), or
// as much of it as is too much, again and again until the rule holds. Columns that keep to the rule come back as they
// are. Coordinates of scaled columns are restored; of those that became zero they are zero. Fails with kInvalidData if
// too little would be left: fewer than `fewest` columns that are not zero.
[[nodiscard]] Result<data::SharedColumns> with_crowd(data::SharedColumns columns, const CrowdRule& rule = {});

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_CROWD_H_
