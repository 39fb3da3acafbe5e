// Whether two readers found the same: entries that are not zero, NaN being NaN.
#ifndef PPDNMF_TESTS_FUZZ_SAME_NUMBERS_H_
#define PPDNMF_TESTS_FUZZ_SAME_NUMBERS_H_

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <ppdnmf/data/columns.h>

namespace ppdnmf {

inline bool same_numbers(const data::Columns& a, const data::Columns& b) {
  data::Scratch of_a;
  data::Scratch of_b;
  for (Index m = 0; m < a.count(); ++m) {
    const auto entries = [&](const data::Columns& columns, data::Scratch& scratch) {
      std::vector<std::pair<Index, double>> found;
      data::for_entries(columns.lend({m, 1}, scratch), 0, [&](Index row, double z) {
        if (z != 0) found.emplace_back(row, z);
      });
      return found;
    };
    const auto of_column = entries(a, of_a);
    const auto others = entries(b, of_b);
    if (of_column.size() != others.size()) return false;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const auto [row, z] = of_column[i];
      const bool same = z == others[i].second || (std::isnan(z) && std::isnan(others[i].second));
      if (row != others[i].first || !same) return false;
    }
  }
  return true;
}

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_FUZZ_SAME_NUMBERS_H_
