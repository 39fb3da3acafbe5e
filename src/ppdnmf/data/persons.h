// Columns of which several belong to one person.
//
// A private run bounds what one column adds to the totals. So that the bound is one person's, each of a person's m
// columns may take an m-th of it. All parts are of second degree in the column: z yᵀ and y yᵀ with y = argmin |z - X
// y|, which is proportional to z, and z zᵀ. So z / sqrt(m) makes each part an m-th (data/unit.h), and whoever weighs
// parts down weighs them down to an m-th of the bound (nmf/internal/bounded_moments.h): m of them then stay within it,
// by the triangle inequality, however alike they are. Not to be divided by m: that would leave an m-th of a person.
#ifndef PPDNMF_DATA_PERSONS_H_
#define PPDNMF_DATA_PERSONS_H_

#include <span>
#include <string>

#include <ppdnmf/data/columns.h>

namespace ppdnmf::data {

// The same columns, with persons[m] the person of column m: columns_of_person counts equal ones. Empty: the columns as
// they are. As many as there are columns otherwise (checked).
[[nodiscard]] SharedColumns of_persons(SharedColumns columns, std::span<const std::string> persons);

}  // namespace ppdnmf::data

#endif  // PPDNMF_DATA_PERSONS_H_
