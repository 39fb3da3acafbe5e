// Columns that count as often as somebody says.
//
// What a column adds to totals and loss is multiplied by its weight w, and its coordinates do not change. Squares are
// of second degree in (z, y) and the divergence is of first: sqrt(w) z or w z with coordinates that are as much larger
// adds w times as much.
#ifndef PPDNMF_DATA_WEIGHTS_H_
#define PPDNMF_DATA_WEIGHTS_H_

#include <span>

#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// The same columns, which know their weights: nothing else follows yet, so that they can be capped or divided by their
// lengths before they are weighed. Empty: the columns as they are; as many as there are columns otherwise, positive and
// finite (checked).
[[nodiscard]] SharedColumns with_weights(SharedColumns columns, std::span<const double> weights);

// Every column times its weight (degree 1), or times the square root of it (degree 2).
[[nodiscard]] SharedColumns weighed(SharedColumns columns, int degree);

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_WEIGHTS_H_
