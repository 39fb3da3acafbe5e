// Several files as one table, their columns side by side.
#ifndef PPDNMF_IO_JOIN_H_
#define PPDNMF_IO_JOIN_H_

#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/limits.h>
#include <ppdnmf/io/table.h>

namespace ppdnmf::io {

struct JoinedTable {
  Table table;                     // every entry finite and >= 0, or missing
  std::vector<Index> columns;      // of each file
  std::vector<std::string> notes;  // as check_nonnegative's
};

// One matrix that grows by each file's columns. What .npy files hold is read to where it stays; of another format, one
// file is held twice for a moment. Sparse files stay sparse, unless others make the whole dense (data::are_few).
class ColumnJoiner {
 public:
  // `missing`: NaN, and with read() empty cells, are entries that are not there.
  explicit ColumnJoiner(bool clip_negative, bool missing = false) : clip_(clip_negative), missing_(missing) {}

  // Behind the columns that are there. Fails as read_matrix and check_nonnegative do, and with kInvalidData, naming two
  // files, unless all have the same number of rows and those with row names have the same ones in the same order.
  [[nodiscard]] Status read(const std::string& file, const ReadLimits& limits = {});
  // The same of a table that was read.
  [[nodiscard]] Status add(const std::string& name, Table table);

  // If some files have column names, the others' columns are called "<file>:1", "<file>:2", ... The image shape stays
  // if all agree on it. Fails with kUsage if there is no file.
  [[nodiscard]] Result<JoinedTable> take() &&;

 private:
  struct Part {
    std::string name;
    Index columns = 0;
    std::vector<std::string> column_names;
    std::optional<ImageShape> image;
  };

  [[nodiscard]] Status read_npy(const std::string& file, const ReadLimits& limits);
  [[nodiscard]] Status check_rows(const std::string& name, Index rows, const std::vector<std::string>& names);
  [[nodiscard]] double* make_room(Index rows, Index columns);
  [[nodiscard]] Index rows() const { return nonzeros_ ? nonzeros_->rows : values_.rows(); }
  [[nodiscard]] Index columns() const { return nonzeros_ ? nonzeros_->count() : values_.cols(); }
  [[nodiscard]] Status join_sparse(Table table);
  [[nodiscard]] Status accept(Part part, const std::vector<std::string>& row_names);

  bool clip_;
  bool missing_;
  Matrix values_;
  std::optional<data::Nonzeros> nonzeros_;  // instead, where all files together have few
  std::vector<Part> parts_;
  std::string named_;  // the first file that has row names
  std::vector<std::string> row_names_;
  std::vector<std::string> notes_;
};

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_JOIN_H_
