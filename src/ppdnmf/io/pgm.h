// Grey images: Portable GrayMap files, and a folder of them as a matrix.
#ifndef PPDNMF_IO_PGM_H_
#define PPDNMF_IO_PGM_H_

#include <filesystem>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

struct Image {
  ImageShape shape;
  std::vector<double> pixels;  // pixel value / largest value, in [0, 1]; index column*height + row
};

// One image, text (P2) or binary (P5), of 8 or 16 bits. Fails with kFile otherwise, also if bytes are missing or left.
[[nodiscard]] Result<Image> parse_pgm(ByteSpan bytes, const ReadLimits& limits = {});

// Every *.pgm file of the folder as one column, in the byte order of the file names, which become the column names.
// Other files, folders and names that start with a dot are passed over. Fails with kFile if there is no image or if two
// differ in size, naming both.
[[nodiscard]] Result<Table> read_pgm_folder(const std::filesystem::path& folder, const ReadLimits& limits = {});

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_PGM_H_
