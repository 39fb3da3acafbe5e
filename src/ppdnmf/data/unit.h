// Columns of length one.
#ifndef PPDNMF_DATA_UNIT_H_
#define PPDNMF_DATA_UNIT_H_

#include <cstdint>

#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// How a column is divided by its own length.
enum class ColumnNorm : std::uint8_t { kL1, kL2 };

// Every column divided by its sum (kL1) or its Euclidean length (kL2), so that |z| <= 1; columns of zeros stay. A
// person with m columns (data/persons.h) has each of them divided by sqrt(m) besides: their squares add up to one. They
// are divided whenever they are lent: nothing is kept but one number per column. Coordinates are restored to the units
// of `columns`.
[[nodiscard]] SharedColumns unit_columns(SharedColumns columns, ColumnNorm norm);

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_UNIT_H_
