// Entries in any order become columns from left to right, in bounded memory: they wait in temporary files, one for each
// stretch of columns, and one stretch after the other is put in order.
#ifndef PPDNMF_CONVERT_COLUMN_SORTER_H_
#define PPDNMF_CONVERT_COLUMN_SORTER_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/convert/column_sink.h>
#include <ppdnmf/convert/temporary_file.h>

namespace ppdnmf::convert {

// Told now and then how much is done, from 0 to 1; a failure ends the work.
using Progress = std::function<Status(double part)>;

class ColumnSorter {
 public:
  // `entries`: how many are expected. `at_once`: how many are put in order in memory at a time, 28 bytes each.
  [[nodiscard]] static Result<ColumnSorter> create(const std::filesystem::path& folder, Index rows, Index columns,
                                                   std::uint64_t entries,
                                                   std::uint64_t at_once = std::uint64_t{1} << 21U);

  // Within (unchecked).
  [[nodiscard]] Status add(int row, int column, double value);
  // All columns: within one from top to bottom; entries with one place are added, in the order in which they came, and
  // zeros are dropped.
  [[nodiscard]] Status finish(ColumnSink& sink, const Progress& progress) &&;

 private:
  struct Entry {
    int row, column;
    double value;
  };
  ColumnSorter(std::filesystem::path folder, Index rows, Index first, Index columns, std::uint64_t at_once)
      : folder_(std::move(folder)), rows_(rows), first_(first), columns_(columns), at_once_(at_once) {}
  [[nodiscard]] static Result<ColumnSorter> of_range(const std::filesystem::path& folder, Index rows, Index first,
                                                     Index columns, std::uint64_t entries, std::uint64_t at_once);
  [[nodiscard]] Status hand_on(TemporaryFile stretch, Index first, Index count, ColumnSink& sink) const;
  [[nodiscard]] Status put_in_order(const io::DiskFile& stretch, Index first, Index count, ColumnSink& sink) const;

  std::filesystem::path folder_;
  Index rows_, first_, columns_;
  std::uint64_t at_once_;
  Index of_stretch_ = 1;  // columns
  std::vector<TemporaryFile> stretches_;
};

}  // namespace ppdnmf::convert

#endif  // PPDNMF_CONVERT_COLUMN_SORTER_H_
