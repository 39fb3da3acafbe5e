// A matrix with the names that its file gave to rows and columns.
#ifndef PPDNMF_IO_TABLE_H_
#define PPDNMF_IO_TABLE_H_

#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/data/columns.h>
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

  // Set where the columns stay in files (io/on_disk.h); values and nonzeros are empty then.
  data::SharedColumns on_disk{};

  [[nodiscard]] Index rows() const { return on_disk ? on_disk->rows() : nonzeros ? nonzeros->rows : values.rows(); }
  [[nodiscard]] Index columns() const {
    return on_disk ? on_disk->count() : nonzeros ? nonzeros->count() : values.cols();
  }
  // As data::Columns::unchanged.
  [[nodiscard]] Status unchanged() const { return on_disk ? on_disk->unchanged() : Status(); }
  // The columns, NaN being missing entries; the table outlives them and does not change.
  [[nodiscard]] data::SharedColumns view() const { return view({0, columns()}); }
  [[nodiscard]] data::SharedColumns view(const data::Range& range) const;
};

}  // namespace ppdnmf::io

#endif  // PPDNMF_IO_TABLE_H_
