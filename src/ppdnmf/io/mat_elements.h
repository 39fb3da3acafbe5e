// The structure of MATLAB's level 5 MAT-files: a header of 128 bytes, then elements, each a tag (type and size) and
// data; a matrix is an element made of elements, a compressed element inflates to one. Nothing here trusts a size.
#ifndef PPDNMF_IO_MAT_ELEMENTS_H_
#define PPDNMF_IO_MAT_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::io {

// Element types, and classes of matrices, by the numbers of the file format.
enum class MatType : std::uint32_t {
  kInt8 = 1,
  kUint8 = 2,
  kInt16 = 3,
  kUint16 = 4,
  kInt32 = 5,
  kUint32 = 6,
  kSingle = 7,
  kDouble = 9,
  kInt64 = 12,
  kUint64 = 13,
  kMatrix = 14,
  kCompressed = 15
};
enum class MatClass : std::uint8_t {
  kCell = 1,
  kStruct = 2,
  kObject = 3,
  kChar = 4,
  kSparse = 5,
  kDouble = 6,
  kUint64 = 15
};

struct MatElement {
  MatType type{};
  ByteSpan data;
};

// Takes elements off the front of `bytes`.
class MatElementReader {
 public:
  MatElementReader(ByteSpan bytes, bool swap) : bytes_(bytes), swap_(swap) {}

  [[nodiscard]] bool at_end() const { return bytes_.empty(); }
  [[nodiscard]] bool swap() const { return swap_; }
  // Fails with kFile if the element's tag or data go beyond the bytes.
  [[nodiscard]] Result<MatElement> next();
  // The same, and fails if the element has another type.
  [[nodiscard]] Result<ByteSpan> next(MatType type);

 private:
  ByteSpan bytes_;
  bool swap_;
};

// What stands in front of a matrix's numbers.
struct MatVariable {
  std::string name;
  std::uint8_t matrix_class = 0;
  bool complex = false;
  std::vector<std::uint64_t> dimensions;
  MatElement element;  // of the file: kMatrix or kCompressed

  // Real numbers (also logical ones), dense or sparse, in two dimensions.
  [[nodiscard]] bool is_real_matrix() const;
};

struct MatFile {
  bool swap = false;  // the file's bytes are in the other order
  std::vector<MatVariable> variables;
};

// Fails with kFile if it is no level 5 file, or if an element or a variable's head is broken.
[[nodiscard]] Result<MatFile> list_mat_variables(ByteSpan bytes);

// The matrix element's content: as it stands in the file, or inflated into `storage` (at most `max_bytes`).
[[nodiscard]] Result<ByteSpan> open_mat_variable(const MatVariable& variable, bool swap, std::uint64_t max_bytes,
                                                 Bytes& storage);

// Reads flags, dimensions and name off the front of a matrix element's content.
[[nodiscard]] Result<MatVariable> parse_mat_head(MatElementReader& reader);

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_MAT_ELEMENTS_H_
