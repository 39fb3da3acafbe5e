// How much a reader may be asked for. A header is somebody's claim: it is held against these bounds, and against the
// bytes that are really there, before memory is taken.
#ifndef PPDNMF_IO_LIMITS_H_
#define PPDNMF_IO_LIMITS_H_

#include <cstdint>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::io {

struct ReadLimits {
  std::uint64_t max_entries = std::uint64_t{1} << 28;     // rows * columns; 2 GiB as doubles
  std::uint64_t max_file_bytes = std::uint64_t{1} << 32;  // 4 GiB
  bool empty_is_nan = false;                              // an empty cell of a table of text is read as NaN
  // What a sparse format holds stays nonzero entries, if they are few: max_entries then counts these.
  bool keep_sparse = false;
};

// Fails with kFile if a side is zero or rows * columns is above the limit.
[[nodiscard]] Status check_size(std::uint64_t rows, std::uint64_t columns, const ReadLimits& limits);

// A matrix of zeros. Fails as check_size does, and if the memory is not there.
[[nodiscard]] Result<Matrix> make_matrix(std::uint64_t rows, std::uint64_t columns, const ReadLimits& limits);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_LIMITS_H_
