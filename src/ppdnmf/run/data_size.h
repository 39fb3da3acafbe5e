// How large data are, and data of that size to time things on.
#ifndef PPDNMF_RUN_DATA_SIZE_H_
#define PPDNMF_RUN_DATA_SIZE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include <ppdnmf/data/columns.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::run {

struct DataSize {
  Index rows = 0;
  std::vector<Index> columns;             // of each agent
  std::optional<std::uint64_t> nonzeros;  // of all of them, where these alone are kept

  [[nodiscard]] Index all_columns() const;
  [[nodiscard]] Index columns_of_one() const;  // on average, at least one
  [[nodiscard]] std::uint64_t bytes() const;   // in memory
};

// Numbers from 0 to 1.
[[nodiscard]] Matrix draw_matrix(std::uint64_t seed, Index rows, Index columns);
// One agent's columns, with its part of the nonzeros, evenly spread.
[[nodiscard]] data::SharedColumns draw_columns(std::uint64_t seed, const DataSize& size);

}  // namespace ppdnmf::run

#endif  // PPDNMF_RUN_DATA_SIZE_H_
