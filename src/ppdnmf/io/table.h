// A matrix with the names that its file gave to rows and columns.
#ifndef PPDNMF_IO_TABLE_H_
#define PPDNMF_IO_TABLE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/data/columns.h>
#include <ppdnmf/data/far.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/data/nonzeros.h>

namespace ppdnmf::io {

// Height and width of images whose pixels are the rows of a matrix: pixel (row, column) has index column*height + row,
// as MATLAB's img(:).
struct ImageShape {
  Index height = 0;
  Index width = 0;
};

// Each list of names is empty (the file has none) or as long as its side of the matrix.
struct Table {
  Matrix values;  // empty where the nonzeros are kept instead
  std::vector<std::string> row_names;
  std::vector<std::string> column_names;
  std::optional<ImageShape> image;  // set when the columns came from image files
  // Set if whoever had the file read wants nonzero entries alone (ReadLimits::keep_sparse), and there are few.
  std::optional<data::Nonzeros> nonzeros{};
  // Set instead of both where the columns lie in several processes, each of which has checked its own; the names of all
  // of them stand here.
  std::shared_ptr<const data::FarColumns> far{};

  // Set where the columns stay in files (io/on_disk.h); values and nonzeros are empty then.
  data::SharedColumns on_disk{};

  [[nodiscard]] Index rows() const {
    if (const data::Columns* const there = elsewhere()) return there->rows();
    return nonzeros ? nonzeros->rows : values.rows();
  }
  [[nodiscard]] Index columns() const {
    if (const data::Columns* const there = elsewhere()) return there->count();
    return nonzeros ? nonzeros->count() : values.cols();
  }
  // The columns if they are not in memory, else null.
  [[nodiscard]] const data::Columns* elsewhere() const { return far ? far.get() : on_disk.get(); }
  // As data::Columns::unchanged.
  [[nodiscard]] Status unchanged() const { return on_disk ? on_disk->unchanged() : Status(); }
  // The columns, NaN being missing entries; the table outlives them and does not change.
  [[nodiscard]] data::SharedColumns view() const { return view({0, columns()}); }
  // Some of them; where they lie in several processes there is nothing but all of them (checked).
  [[nodiscard]] data::SharedColumns view(const data::Range& range) const;
};

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_TABLE_H_
