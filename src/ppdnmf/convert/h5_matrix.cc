#include <ppdnmf/convert/h5_matrix.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include <ppdnmf/convert/internal/h5_file.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::convert {

using internal::Dataset;
using internal::H5File;

struct H5Matrix::State {
  H5File file;
  std::string place;  // in front of sentences; empty: nothing
  H5Shape shape;
  Dataset numbers, indices;  // indices: of a sparse matrix
  std::vector<std::string> row_names, column_names;

  [[nodiscard]] Status open(const io::ReadLimits& limits);
  [[nodiscard]] Status open_anndata(const io::ReadLimits& limits);
  [[nodiscard]] Status open_10x(const io::ReadLimits& limits);
  [[nodiscard]] Status open_sparse(const std::string& group, std::int64_t rows, std::int64_t columns, H5Order order,
                                   const io::ReadLimits& limits);
  [[nodiscard]] Result<std::vector<std::string>> index_of(const std::string& group, Index lines) const;
  [[nodiscard]] Status located(Status status) const {
    if (status || place.empty()) return status;
    return at(place, std::move(status).error());
  }
};

Status H5Matrix::State::open(const io::ReadLimits& limits) {
  if (file.has("X")) return open_anndata(limits);
  if (file.has("matrix")) return open_10x(limits);
  return error(ErrorCode::kFile, "it has neither X, as AnnData's files, nor matrix, as those of 10x Genomics");
}

Status H5Matrix::State::open_anndata(const io::ReadLimits& limits) {
  if (file.is_group("X")) {
    PPDNMF_TRY(std::string encoding, file.text_attribute("X", "encoding-type"));
    const char* shape_name = "shape";
    if (encoding.empty()) {  // before AnnData 0.7
      PPDNMF_TRY(encoding, file.text_attribute("X", "h5sparse_format"));
      shape_name = "h5sparse_shape";
    }
    const bool csr = encoding == "csr_matrix" || encoding == "csr";
    if (!csr && encoding != "csc_matrix" && encoding != "csc") {
      return error(ErrorCode::kFile, "its X is {}; csr_matrix, csc_matrix and arrays can be read",
                   encoding.empty() ? std::string("of an unknown kind") : io::in_quotes(encoding));
    }
    PPDNMF_TRY(const auto sides, file.pair_attribute("X", shape_name));
    PPDNMF_TRY_STATUS(
        open_sparse("X", sides.second, sides.first, csr ? H5Order::kByColumns : H5Order::kByRows, limits));
  } else {
    PPDNMF_TRY(numbers, file.dataset("X"));
    if (numbers.lengths.size() != 2 || !is_number(numbers))
      return error(ErrorCode::kFile, "its X is not a matrix of numbers of at most 8 bytes");
    PPDNMF_TRY_STATUS(io::check_size(numbers.lengths[1], numbers.lengths[0], limits));
    shape.rows = static_cast<Index>(numbers.lengths[1]);
    shape.columns = static_cast<Index>(numbers.lengths[0]);
  }
  PPDNMF_TRY(row_names, index_of("var", shape.rows));
  PPDNMF_TRY(column_names, index_of("obs", shape.columns));
  return {};
}

Status H5Matrix::State::open_10x(const io::ReadLimits& limits) {
  PPDNMF_TRY(const Dataset sides, file.list("matrix/shape", true));
  if (sides.lengths[0] != 2) return error(ErrorCode::kFile, "its matrix/shape is not two whole numbers");
  PPDNMF_TRY(const std::vector<std::int64_t> side, read_integers(sides));
  PPDNMF_TRY_STATUS(open_sparse("matrix", side[0], side[1], H5Order::kByColumns, limits));
  PPDNMF_TRY(row_names, file.names("matrix/features/id", shape.rows));
  PPDNMF_TRY(column_names, file.names("matrix/barcodes", shape.columns));
  return {};
}

Status H5Matrix::State::open_sparse(const std::string& group, std::int64_t rows, std::int64_t columns, H5Order order,
                                    const io::ReadLimits& limits) {
  PPDNMF_TRY(numbers, file.list(group + "/data", false));
  PPDNMF_TRY(indices, file.list(group + "/indices", true));
  PPDNMF_TRY(const Dataset starts, file.list(group + "/indptr", true));
  shape.entries = numbers.lengths[0];
  if (indices.lengths[0] != shape.entries) {
    return error(ErrorCode::kFile, "it has {} numbers, but {} indices: it is broken", shape.entries,
                 indices.lengths[0]);
  }
  if (rows < 1 || columns < 1) return error(ErrorCode::kFile, "it claims {} rows and {} columns", rows, columns);
  PPDNMF_TRY_STATUS(io::check_sparse_size(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                                          shape.entries, limits));
  const std::int64_t lines = order == H5Order::kByColumns ? columns : rows;
  if (starts.lengths[0] != static_cast<std::uint64_t>(lines) + 1) {
    return error(ErrorCode::kFile, "its indptr has {} numbers; {} lines need {}", starts.lengths[0], lines, lines + 1);
  }
  PPDNMF_TRY(const std::vector<std::int64_t> from, read_integers(starts));
  if (from.front() != 0 || from.back() != static_cast<std::int64_t>(shape.entries) ||
      !std::is_sorted(from.begin(), from.end())) {
    return error(ErrorCode::kFile, "its indptr does not rise from 0 to {}, the number of its entries: it is broken",
                 shape.entries);
  }
  shape.order = order;
  shape.rows = static_cast<Index>(rows);
  shape.columns = static_cast<Index>(columns);
  shape.starts.assign(from.begin(), from.end());
  return {};
}

// AnnData's obs and var are tables whose attribute says which of their columns is the index.
Result<std::vector<std::string>> H5Matrix::State::index_of(const std::string& group, Index lines) const {
  if (!file.is_group(group)) return std::vector<std::string>();
  PPDNMF_TRY(std::string index, file.text_attribute(group, "_index"));
  if (index.empty()) index = "_index";
  if (index.find('/') != std::string::npos || !file.has(group + "/" + index))
    return error(ErrorCode::kFile, "its {} has no {}, which should hold the names", group, io::in_quotes(index));
  return file.names(group + "/" + index, lines);
}

H5Matrix::H5Matrix(std::unique_ptr<State> state) : state_(std::move(state)) {}
H5Matrix::H5Matrix(H5Matrix&&) noexcept = default;
H5Matrix::~H5Matrix() = default;

Result<H5Matrix> H5Matrix::open(const std::filesystem::path& path, const io::ReadLimits& limits) {
  // Says what is wrong with a path better than the library does.
  PPDNMF_TRY_STATUS(io::InputFile::open(path, std::numeric_limits<std::uint64_t>::max()).map([](const auto&) {}));
  auto state = std::make_unique<State>();
  state->place = path.string();
  try {
    auto file = H5File::open(path);
    if (!file) return at(path.string(), std::move(file).error());
    state->file = *std::move(file);
    PPDNMF_TRY_STATUS(state->located(state->open(limits)));
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory to read it", path.string());
  }
  return H5Matrix(std::move(state));
}

Result<H5Matrix> H5Matrix::open(ByteSpan image, const io::ReadLimits& limits) {
  auto state = std::make_unique<State>();
  PPDNMF_TRY(state->file, H5File::open(image));
  PPDNMF_TRY_STATUS(state->open(limits));
  return H5Matrix(std::move(state));
}

const H5Shape& H5Matrix::shape() const { return state_->shape; }
const std::vector<std::string>& H5Matrix::row_names() const { return state_->row_names; }
const std::vector<std::string>& H5Matrix::column_names() const { return state_->column_names; }

Status H5Matrix::read_entries(std::uint64_t first, std::size_t count, std::vector<int>& place,
                              std::vector<double>& value) const {
  place.resize(count);
  value.resize(count);
  PPDNMF_TRY_STATUS(state_->located(read_range(state_->numbers, first, count, value.data())));
  PPDNMF_TRY_STATUS(state_->located(read_range(state_->indices, first, count, place.data())));
  const H5Shape& shape = state_->shape;
  const Index size = shape.order == H5Order::kByColumns ? shape.rows : shape.columns;
  const auto outside =
      std::find_if(place.begin(), place.end(), [&](int one) { return one < 0 || one >= static_cast<int>(size); });
  if (outside == place.end()) return {};
  return state_->located(error(ErrorCode::kFile, "entry {}: the index is {}, outside 0 to {}",
                               first + static_cast<std::uint64_t>(outside - place.begin()) + 1, *outside, size - 1));
}

Status H5Matrix::read_columns(Index first, Index count, double* to) const {
  return state_->located(
      read_range(state_->numbers, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count), to));
}

}  // namespace ppdnmf::convert
