// Columns that count more or less than they are.
#ifndef PPDNMF_DATA_SCALED_H_
#define PPDNMF_DATA_SCALED_H_

#include <vector>

#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// Column m times factors[m], which is positive and finite; as many as there are columns (checked). They are multiplied
// whenever they are lent. Coordinates are restored to the units of `columns`. Factors that are all one: the columns
// themselves.
[[nodiscard]] SharedColumns scaled_columns(SharedColumns columns, std::vector<double> factors);

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_SCALED_H_
