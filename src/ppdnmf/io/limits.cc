#include <ppdnmf/io/limits.h>

#include <new>

namespace ppdnmf::io {

Status check_size(std::uint64_t rows, std::uint64_t columns, const ReadLimits& limits) {
  if (rows == 0 || columns == 0) {
    return error(ErrorCode::kFile, "it holds an empty matrix ({} rows, {} columns)", rows, columns);
  }
  if (rows > limits.max_entries / columns) {
    return error(ErrorCode::kFile, "it claims {} x {} entries; at most {} can be read", rows, columns,
                 limits.max_entries);
  }
  return {};
}

Result<Matrix> make_matrix(std::uint64_t rows, std::uint64_t columns, const ReadLimits& limits) {
  PPDNMF_TRY_STATUS(check_size(rows, columns, limits));
  try {
    return Matrix(Matrix::Zero(static_cast<Index>(rows), static_cast<Index>(columns)));
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "there is not enough memory for its {} x {} entries", rows, columns);
  }
}

}  // namespace ppdnmf::io
