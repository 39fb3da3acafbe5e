// What h5_matrix.cc asks of an HDF5 file, without the library's header.
#ifndef PPDNMF_CONVERT_INTERNAL_H5_FILE_H_
#define PPDNMF_CONVERT_INTERNAL_H5_FILE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/convert/internal/h5_handle.h>
#include <ppdnmf/data/matrix.h>

namespace ppdnmf::convert::internal {

// Paths are "a/b/c"; each step has to be in this very file. All fail with kFile, without the file's name in front.
class H5File {
 public:
  H5File() = default;
  // Fail if it is not a complete HDF5 file.
  [[nodiscard]] static Result<H5File> open(const std::filesystem::path& path);
  [[nodiscard]] static Result<H5File> open(ByteSpan image);

  // Whether there is anything of this name, be it a link to somewhere else.
  [[nodiscard]] bool has(const std::string& path) const;
  [[nodiscard]] bool is_group(const std::string& path) const;

  // An array of one or two dimensions. Fails if it lies elsewhere or behind other filters than the library's own, or if
  // it claims more numbers than the bytes that are there can hold.
  [[nodiscard]] Result<Dataset> dataset(const std::string& path) const;
  // A list of numbers, whole ones if they are places.
  [[nodiscard]] Result<Dataset> list(const std::string& path, bool whole) const;
  // A text for every line, in the order of the lines. Fails if they are longer than the file is.
  [[nodiscard]] Result<std::vector<std::string>> names(const std::string& path, Index lines) const;
  // Attributes of what has this path: a text, empty if there is none of the name; and two whole numbers.
  [[nodiscard]] Result<std::string> text_attribute(const std::string& path, const char* name) const;
  [[nodiscard]] Result<std::pair<std::int64_t, std::int64_t>> pair_attribute(const std::string& path,
                                                                             const char* name) const;

 private:
  explicit H5File(Handle file);
  [[nodiscard]] Status check_links(const std::string& path) const;

  Handle file_;
  std::uint64_t bytes_ = 0;
};

[[nodiscard]] bool is_number(const Dataset& set);  // of at most 8 bytes

// A range of a dataset's first side, all of the others.
[[nodiscard]] Status read_range(const Dataset& set, std::uint64_t first, std::uint64_t count, double* to);
[[nodiscard]] Status read_range(const Dataset& set, std::uint64_t first, std::uint64_t count, int* to);
[[nodiscard]] Result<std::vector<std::int64_t>> read_integers(const Dataset& list);

}  // namespace ppdnmf::convert::internal

#endif  // PPDNMF_CONVERT_INTERNAL_H5_FILE_H_
