// Columns that are kept by their nonzero entries alone.
#ifndef PPDNMF_DATA_NONZEROS_H_
#define PPDNMF_DATA_NONZEROS_H_

#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// The same columns without their zeros if so few entries are left that products of these alone are faster (one in
// five), else the columns themselves. What is computed from them is the same to the bit.
[[nodiscard]] SharedColumns without_zeros(const SharedColumns& columns);

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_NONZEROS_H_
