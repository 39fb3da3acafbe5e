// Where columns go, from left to right: a file that is there as a whole at the end or not at all.
#ifndef PPDNMF_CONVERT_COLUMN_SINK_H_
#define PPDNMF_CONVERT_COLUMN_SINK_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/columns.h>

namespace ppdnmf::convert {

class ColumnSink {
 public:
  ColumnSink() = default;
  ColumnSink(const ColumnSink&) = delete;
  ColumnSink& operator=(const ColumnSink&) = delete;
  ColumnSink(ColumnSink&&) = delete;
  ColumnSink& operator=(ColumnSink&&) = delete;
  virtual ~ColumnSink() = default;

  // Both fail with kFile if the file cannot be written.
  [[nodiscard]] virtual Status add(const data::Block& block) = 0;
  [[nodiscard]] virtual Status finish() = 0;  // once, when all columns have come
};

struct SinkRequest {
  std::filesystem::path file;
  Index rows = 0;
  Index columns = 0;
  std::vector<std::string> row_names, column_names;  // for formats that have names
};

// By the extension: .npy (float64, column after column), .npz (csc, not compressed), .mtx (coordinates), .csv and .tsv,
// which are put together in memory and have at most 2^28 numbers. Fails with kUsage on another one.
[[nodiscard]] Result<std::unique_ptr<ColumnSink>> open_sink(SinkRequest request);
// Fails so before there is anything to write.
[[nodiscard]] Status check_format(const std::filesystem::path& file);
// Whether the format keeps names in the file itself.
[[nodiscard]] bool keeps_names(const std::filesystem::path& file);

}  // namespace ppdnmf::convert

#endif  // PPDNMF_CONVERT_COLUMN_SINK_H_
