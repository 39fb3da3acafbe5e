// From one format into another, in bounded memory: what is too large to be read becomes what can be worked with where
// it is (io/on_disk.h).
#ifndef PPDNMF_CONVERT_CONVERT_H_
#define PPDNMF_CONVERT_CONVERT_H_

#include <filesystem>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/convert/column_sorter.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/on_disk.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::convert {

struct ConvertRequest {
  std::string from;
  std::filesystem::path to;
  bool force = false;         // replace what is there
  bool empty_is_nan = false;  // cells of tables of text
  Progress progress;
};

struct Converted {
  Index rows = 0;
  Index columns = 0;
  std::vector<std::filesystem::path> names;  // files of names beside the result
};

// The numbers stay as they are: nothing is checked or clipped, but float64 is written. In bounded memory: .csv, .tsv
// and .mtx of any length, .npy, uncompressed .npz in csc, .h5ad and .h5; the rest as read_matrix reads it. Row and
// column names go beside formats that have none, one on each line, as NAME.rows.txt and NAME.columns.txt. The result
// appears whole or not at all, and its names behind it. Fails as the readers do; with kFile if `to` or a file of other
// names is there and not `force`, if `to` is the file that is read, or if it cannot be written; with kUsage as
// open_sink.
[[nodiscard]] Result<Converted> convert(const ConvertRequest& request);

// A file of any format, wherever it is kept: as io::open_on_disk, else as read_h5 or io::read_matrix.
[[nodiscard]] Result<io::Table> read_or_leave(const std::string& file, io::OnDisk which, const io::ReadLimits& limits);

}  // namespace ppdnmf::convert

#endif  // PPDNMF_CONVERT_CONVERT_H_
