#include <ppdnmf/io/join.h>

#include <algorithm>
#include <new>
#include <utility>

#include <ppdnmf/data/dense.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/validate.h>

namespace ppdnmf::io {

Status ColumnJoiner::read(const std::string& file, const ReadLimits& limits) {
  try {
    if (is_npy(file)) return read_npy(file, limits);
    ReadLimits own = limits;
    own.empty_is_nan = missing_;
    own.keep_sparse = true;
    PPDNMF_TRY(Table table, read_matrix(file, own));
    return add(file, std::move(table));
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory to read it", file);
  }
}

Status ColumnJoiner::read_npy(const std::string& file, const ReadLimits& limits) {
  PPDNMF_TRY(NpyFile numbers, NpyFile::open(file, limits));
  PPDNMF_TRY_STATUS(check_rows(file, numbers.rows(), {}));
  if (nonzeros_) {
    Table table;
    PPDNMF_TRY(table.values, make_matrix(static_cast<std::uint64_t>(numbers.rows()),
                                         static_cast<std::uint64_t>(numbers.columns()), limits));
    PPDNMF_TRY_STATUS(numbers.read(table.values.data()));
    return add(file, std::move(table));
  }
  PPDNMF_TRY_STATUS(numbers.read(make_room(numbers.rows(), numbers.columns())));
  return accept({file, numbers.columns(), {}, {}}, {});
}

Status ColumnJoiner::add(const std::string& name, Table table) {
  PPDNMF_TRY_STATUS(check_rows(name, table.rows(), table.row_names));
  Part part{name, table.columns(), std::move(table.column_names), table.image};
  if (table.nonzeros || nonzeros_) {
    const TableNames names{table.row_names, part.column_names};
    PPDNMF_TRY(const std::vector<std::string> notes,
               table.nonzeros ? check_nonnegative(*table.nonzeros, names, name, clip_, missing_)
                              : check_nonnegative(table.values, names, name, clip_, missing_));
    notes_.insert(notes_.end(), notes.begin(), notes.end());
    parts_.push_back(std::move(part));
    return join_sparse(std::move(table));
  }
  if (parts_.empty()) {
    values_ = std::move(table.values);
  } else {
    std::copy_n(table.values.data(), table.values.size(), make_room(table.values.rows(), part.columns));
    table.values.resize(0, 0);
  }
  return accept(std::move(part), table.row_names);
}

// Row names are compared with those of the first file that has any.
Status ColumnJoiner::check_rows(const std::string& name, Index rows, const std::vector<std::string>& names) {
  const bool compared = !names.empty() && !row_names_.empty();
  const std::string& other = compared || parts_.empty() ? named_ : parts_.front().name;
  if (!parts_.empty() && rows != this->rows()) {
    return error(ErrorCode::kInvalidData, "{} has {} rows and {} has {}; all files must describe the same rows", other,
                 this->rows(), name, rows);
  }
  if (!compared) {
    if (!names.empty()) {
      named_ = name;
      row_names_ = names;
    }
    return {};
  }
  if (row_names_ == names) return {};
  const auto [in_a, in_b] = std::mismatch(row_names_.begin(), row_names_.end(), names.begin());
  auto sorted_a = row_names_;
  auto sorted_b = names;
  std::sort(sorted_a.begin(), sorted_a.end());
  std::sort(sorted_b.begin(), sorted_b.end());
  return error(ErrorCode::kInvalidData, "row {} is called {} in {} and {} in {}; {}", in_a - row_names_.begin() + 1,
               in_quotes(*in_a), other, in_quotes(*in_b), name,
               sorted_a == sorted_b ? "the names are the same in another order: bring them into one order"
                                    : "all files must describe the same rows");
}

// Whatever was there before, and whatever comes: what both have together decides how they are kept.
Status ColumnJoiner::join_sparse(Table table) {
  const bool first = columns() == 0;
  Table before;
  before.values = std::exchange(values_, Matrix());
  before.nonzeros = std::exchange(nonzeros_, std::nullopt);
  if (first) {
    nonzeros_ = std::move(table.nonzeros);
    return {};
  }
  const std::size_t entries = data::count_nonzeros(*before.view()) + data::count_nonzeros(*table.view());
  if (data::are_few(entries, table.rows(), before.columns() + table.columns())) {
    for (Table* one : {&before, &table}) {
      if (!one->nonzeros) one->nonzeros = data::nonzeros_of(*data::view(one->values));
      one->values.resize(0, 0);
    }
    nonzeros_ = std::move(before.nonzeros);
    data::append(*nonzeros_, *std::exchange(table.nonzeros, std::nullopt));
    return {};
  }
  PPDNMF_TRY_STATUS(write_out(before));
  PPDNMF_TRY_STATUS(write_out(table));
  values_ = std::move(before.values);
  std::copy_n(table.values.data(), table.values.size(), make_room(table.rows(), table.columns()));
  return {};
}

// A matrix of the same rows grows where it lies, or its pages move: it is not copied if it is large.
double* ColumnJoiner::make_room(Index rows, Index columns) {
  const Index before = values_.cols();
  values_.conservativeResize(rows, before + columns);
  return values_.data() + before * rows;
}

Status ColumnJoiner::accept(Part part, const std::vector<std::string>& row_names) {
  PPDNMF_TRY(
      const std::vector<std::string> notes,
      check_nonnegative(values_.rightCols(part.columns), {row_names, part.column_names}, part.name, clip_, missing_));
  notes_.insert(notes_.end(), notes.begin(), notes.end());
  parts_.push_back(std::move(part));
  return {};
}

Result<JoinedTable> ColumnJoiner::take() && {
  if (parts_.empty()) return error(ErrorCode::kUsage, "no data file was given");
  JoinedTable joined;
  joined.table.values = std::move(values_);
  joined.table.nonzeros = std::move(nonzeros_);
  joined.table.row_names = std::move(row_names_);
  joined.notes = std::move(notes_);
  const std::optional<ImageShape>& image = parts_.front().image;
  const bool same_image =
      image && std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return part.image && part.image->height == image->height && part.image->width == image->width;
      });
  if (same_image) joined.table.image = image;
  const bool names =
      std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return !part.column_names.empty(); });
  for (const Part& part : parts_) {
    joined.columns.push_back(part.columns);
    for (Index i = 0; names && i < part.columns; ++i) {
      joined.table.column_names.push_back(part.column_names.empty() ? fmt::format("{}:{}", part.name, i + 1)
                                                                    : part.column_names[static_cast<std::size_t>(i)]);
    }
  }
  return joined;
}

}  // namespace ppdnmf::io
