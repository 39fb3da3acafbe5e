#include <ppdnmf/convert/h5_matrix.h>

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include <ppdnmf/convert/internal/h5_handle.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::convert {
namespace {

using internal::Dataset;
using internal::Handle;

constexpr std::uint64_t kMaxChunkBytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t kMaxNameBytes = std::uint64_t{1} << 31U;

tl::unexpected<Error> unreadable(const std::string& what) {
  return error(ErrorCode::kFile, "its {} cannot be read: it is damaged, or packed in an unknown way", what);
}

void quiet() {
  (void)H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  (void)H5PLset_loading_state(0);  // a file must not choose code to be loaded
}

// Every step of "a/b/c" is a link within this file.
bool is_there(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string step = path.substr(0, end);
    H5L_info_t link;
    if (H5Lexists(file, step.c_str(), H5P_DEFAULT) <= 0 || H5Lget_info(file, step.c_str(), &link, H5P_DEFAULT) < 0 ||
        link.type != H5L_TYPE_HARD) {
      return false;
    }
    if (end == std::string::npos) return true;
  }
}

bool is_group(hid_t file, const std::string& path) {
  const Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
  return object && H5Iget_type(object.get()) == H5I_GROUP;
}

std::size_t bytes_of(const Dataset& set) { return H5Tget_size(set.type.get()); }

bool is_whole(const Dataset& set) { return H5Tget_class(set.type.get()) == H5T_INTEGER; }

bool is_number(const Dataset& set) {
  const bool number = is_whole(set) || H5Tget_class(set.type.get()) == H5T_FLOAT;
  return number && bytes_of(set) >= 1 && bytes_of(set) <= sizeof(double);
}

// Where the numbers lie: in this file, in pieces of a sane size, behind filters of the library itself.
Status check_storage(const Dataset& set) {
  const Handle plan(H5Dget_create_plist(set.id.get()), H5Pclose);
  if (!plan) return unreadable(set.name);
  const H5D_layout_t layout = H5Pget_layout(plan.get());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(plan.get()) != 0)
    return error(ErrorCode::kFile, "its {} lies in other files: copy them into one", set.name);
  if (layout == H5D_CHUNKED) {
    std::vector<hsize_t> chunk(set.lengths.size());
    if (H5Pget_chunk(plan.get(), static_cast<int>(chunk.size()), chunk.data()) < 0) return unreadable(set.name);
    std::uint64_t size = std::max<std::size_t>(bytes_of(set), 1);
    for (const hsize_t side : chunk) {
      if (side == 0 || side > kMaxChunkBytes / size)
        return error(ErrorCode::kFile, "its {} is in enormous chunks", set.name);
      size *= side;
    }
  }
  const int filters = H5Pget_nfilters(plan.get());
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(plan.get(), static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32) {
      return error(ErrorCode::kFile, "its {} is compressed in a way that cannot be read: save it with gzip, or without",
                   set.name);
    }
  }
  return {};
}

Result<Dataset> open_dataset(hid_t file, const std::string& path) {
  if (!is_there(file, path)) return error(ErrorCode::kFile, "it has no {}", path);
  Dataset set;
  set.name = path;
  set.id = Handle(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.id) return error(ErrorCode::kFile, "its {} is not an array", path);
  set.space = Handle(H5Dget_space(set.id.get()), H5Sclose);
  set.type = Handle(H5Dget_type(set.id.get()), H5Tclose);
  const int sides = set.space ? H5Sget_simple_extent_ndims(set.space.get()) : -1;
  constexpr int kMostSides = 2;
  if (sides < 1 || sides > kMostSides || !set.type)
    return error(ErrorCode::kFile, "its {} is not a list or matrix", path);
  set.lengths.resize(static_cast<std::size_t>(sides));
  if (H5Sget_simple_extent_dims(set.space.get(), set.lengths.data(), nullptr) != sides) return unreadable(path);
  PPDNMF_TRY_STATUS(check_storage(set));
  return set;
}

// A list of numbers, whole ones if they are places.
Result<Dataset> open_list(hid_t file, const std::string& path, bool whole) {
  PPDNMF_TRY(Dataset set, open_dataset(file, path));
  if (set.lengths.size() != 1 || !is_number(set) || (whole && !is_whole(set))) {
    return error(ErrorCode::kFile, "its {} is not a list of {}", path,
                 whole ? "whole numbers" : "numbers of at most 8 bytes");
  }
  return set;
}

// Some of a dataset's numbers: a range of its first side, all of the others.
template <typename T>
Status read_range(const Dataset& set, hid_t type, std::uint64_t first, std::uint64_t count, T* to) {
  if (count == 0) return {};
  std::vector<hsize_t> start(set.lengths.size(), 0);
  std::vector<hsize_t> counts = set.lengths;
  start[0] = first;
  counts[0] = count;
  const Handle from(H5Scopy(set.space.get()), H5Sclose);
  const Handle there(H5Screate_simple(static_cast<int>(counts.size()), counts.data(), nullptr), H5Sclose);
  if (!from || !there ||
      H5Sselect_hyperslab(from.get(), H5S_SELECT_SET, start.data(), nullptr, counts.data(), nullptr) < 0 ||
      H5Dread(set.id.get(), type, there.get(), from.get(), H5P_DEFAULT, to) < 0) {
    return unreadable(set.name);
  }
  return {};
}

Result<std::vector<std::int64_t>> read_integers(const Dataset& set) {
  std::vector<std::int64_t> out(set.lengths[0]);
  PPDNMF_TRY_STATUS(read_range(set, H5T_NATIVE_INT64, 0, out.size(), out.data()));
  return out;
}

// What a read gave the library's memory for goes back to it.
class Lent {
 public:
  Lent(hid_t type, hid_t space, std::size_t count) : type_(type), space_(space), text_(count, nullptr) {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  Lent(Lent&&) = delete;
  Lent& operator=(Lent&&) = delete;
  ~Lent() { (void)H5Dvlen_reclaim(type_, space_, H5P_DEFAULT, text_.data()); }
  [[nodiscard]] char** data() { return text_.data(); }
  [[nodiscard]] const std::vector<char*>& text() const { return text_; }

 private:
  hid_t type_, space_;
  std::vector<char*> text_;
};

// Texts of any kind, from read(type, to).
template <typename Read>
Result<std::vector<std::string>> read_texts(hid_t type, hid_t space, std::uint64_t count, const std::string& name,
                                            const Read& read) {
  if (H5Tget_class(type) != H5T_STRING) return error(ErrorCode::kFile, "its {} is not text", name);
  const std::size_t length = H5Tget_size(type);
  if (count > kMaxNameBytes / std::max<std::size_t>(length, 1))
    return error(ErrorCode::kFile, "its {} is {} texts; that is too much to be read", name, count);
  std::vector<std::string> out;
  if (H5Tis_variable_str(type) > 0) {
    const Handle memory(H5Tcopy(type), H5Tclose);
    Lent lent(memory.get(), space, count);
    if (!memory || read(memory.get(), static_cast<void*>(lent.data())) < 0) return unreadable(name);
    for (const char* text : lent.text()) out.emplace_back(text == nullptr ? "" : text);
    return out;
  }
  std::vector<char> text(count * length);
  if (read(type, static_cast<void*>(text.data())) < 0) return unreadable(name);
  for (std::uint64_t i = 0; i < count; ++i) out.push_back(internal::fixed_text(text.data() + i * length, length));
  return out;
}

// A name for every line, in the order of the lines.
Result<std::vector<std::string>> read_names(hid_t file, const std::string& path, Index lines) {
  PPDNMF_TRY(const Dataset set, open_dataset(file, path));
  if (set.lengths.size() != 1 || set.lengths[0] != static_cast<hsize_t>(lines))
    return error(ErrorCode::kFile, "its {} is not a list of {} names", path, lines);
  return read_texts(set.type.get(), set.space.get(), set.lengths[0], path, [&](hid_t type, void* to) {
    return H5Dread(set.id.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  });
}

// An attribute of an object of the file; there may be none of the name.
struct Attribute {
  Attribute(hid_t file, const std::string& path, const char* name)
      : what(fmt::format("{} of {}", name, path)), object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose) {
    there = object && H5Aexists(object.get(), name) > 0;
    if (!there) return;
    id = Handle(H5Aopen(object.get(), name, H5P_DEFAULT), H5Aclose);
    type = Handle(H5Aget_type(id.get()), H5Tclose);
    space = Handle(H5Aget_space(id.get()), H5Sclose);
  }
  [[nodiscard]] bool has(hssize_t points) const {
    return id && type && space && H5Sget_simple_extent_npoints(space.get()) == points;
  }

  std::string what;
  Handle object, id, type, space;
  bool there = false;
};

// One text; empty if there is none of the name.
Result<std::string> text_attribute(hid_t file, const std::string& path, const char* name) {
  const Attribute attribute(file, path, name);
  if (!attribute.there) return std::string();
  if (!attribute.has(1)) return unreadable(attribute.what);
  PPDNMF_TRY(const std::vector<std::string> texts,
             read_texts(attribute.type.get(), attribute.space.get(), 1, attribute.what,
                        [&](hid_t memory, void* to) { return H5Aread(attribute.id.get(), memory, to); }));
  return texts.front();
}

Result<std::pair<std::int64_t, std::int64_t>> pair_attribute(hid_t file, const std::string& path, const char* name) {
  const Attribute attribute(file, path, name);
  std::int64_t sides[2] = {};
  if (!attribute.has(2) || H5Tget_class(attribute.type.get()) != H5T_INTEGER ||
      H5Aread(attribute.id.get(), H5T_NATIVE_INT64, sides) < 0) {
    return error(ErrorCode::kFile, "its {} is not two whole numbers", attribute.what);
  }
  return std::pair{sides[0], sides[1]};
}

}  // namespace

struct H5Matrix::State {
  internal::Handle file;
  std::string place;  // in front of sentences; empty: nothing
  H5Shape shape;
  internal::Dataset numbers, indices;  // indices: of a sparse matrix
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
  if (is_there(file.get(), "X")) return open_anndata(limits);
  if (is_there(file.get(), "matrix")) return open_10x(limits);
  return error(ErrorCode::kFile, "it has neither X, as AnnData's files, nor matrix, as those of 10x Genomics");
}

Status H5Matrix::State::open_anndata(const io::ReadLimits& limits) {
  if (is_group(file.get(), "X")) {
    PPDNMF_TRY(std::string encoding, text_attribute(file.get(), "X", "encoding-type"));
    const char* shape_name = "shape";
    if (encoding.empty()) {  // before AnnData 0.7
      PPDNMF_TRY(encoding, text_attribute(file.get(), "X", "h5sparse_format"));
      shape_name = "h5sparse_shape";
    }
    const bool csr = encoding == "csr_matrix" || encoding == "csr";
    if (!csr && encoding != "csc_matrix" && encoding != "csc") {
      return error(ErrorCode::kFile, "its X is {}; csr_matrix, csc_matrix and arrays can be read",
                   encoding.empty() ? std::string("of an unknown kind") : io::in_quotes(encoding));
    }
    PPDNMF_TRY(const auto sides, pair_attribute(file.get(), "X", shape_name));
    PPDNMF_TRY_STATUS(
        open_sparse("X", sides.second, sides.first, csr ? H5Order::kByColumns : H5Order::kByRows, limits));
  } else {
    PPDNMF_TRY(numbers, open_dataset(file.get(), "X"));
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
  PPDNMF_TRY(const Dataset sides, open_list(file.get(), "matrix/shape", true));
  if (sides.lengths[0] != 2) return error(ErrorCode::kFile, "its matrix/shape is not two whole numbers");
  PPDNMF_TRY(const std::vector<std::int64_t> side, read_integers(sides));
  PPDNMF_TRY_STATUS(open_sparse("matrix", side[0], side[1], H5Order::kByColumns, limits));
  PPDNMF_TRY(row_names, read_names(file.get(), "matrix/features/id", shape.rows));
  PPDNMF_TRY(column_names, read_names(file.get(), "matrix/barcodes", shape.columns));
  return {};
}

Status H5Matrix::State::open_sparse(const std::string& group, std::int64_t rows, std::int64_t columns, H5Order order,
                                    const io::ReadLimits& limits) {
  PPDNMF_TRY(numbers, open_list(file.get(), group + "/data", false));
  PPDNMF_TRY(indices, open_list(file.get(), group + "/indices", true));
  PPDNMF_TRY(const Dataset starts, open_list(file.get(), group + "/indptr", true));
  shape.entries = numbers.lengths[0];
  if (indices.lengths[0] != shape.entries) {
    return error(ErrorCode::kFile, "it has {} numbers, but {} indices: it is broken", shape.entries,
                 indices.lengths[0]);
  }
  if (rows < 1 || columns < 1) return error(ErrorCode::kFile, "it claims {} rows and {} columns", rows, columns);
  PPDNMF_TRY_STATUS(io::check_sparse_size(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                                          shape.entries, limits));
  const std::int64_t lines = order == H5Order::kByColumns ? columns : rows;
  if (starts.lengths[0] != static_cast<hsize_t>(lines) + 1) {
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
  if (!is_there(file.get(), group) || !is_group(file.get(), group)) return std::vector<std::string>();
  PPDNMF_TRY(std::string index, text_attribute(file.get(), group, "_index"));
  if (index.empty()) index = "_index";
  if (index.find('/') != std::string::npos || !is_there(file.get(), group + "/" + index))
    return error(ErrorCode::kFile, "its {} has no {}, which should hold the names", group, io::in_quotes(index));
  return read_names(file.get(), group + "/" + index, lines);
}

H5Matrix::H5Matrix(std::unique_ptr<State> state) : state_(std::move(state)) {}
H5Matrix::H5Matrix(H5Matrix&&) noexcept = default;
H5Matrix::~H5Matrix() = default;

Result<H5Matrix> H5Matrix::open(const std::filesystem::path& path, const io::ReadLimits& limits) {
  // Says what is wrong with a path better than the library does.
  PPDNMF_TRY_STATUS(io::InputFile::open(path, std::numeric_limits<std::uint64_t>::max()).map([](const auto&) {}));
  quiet();
  auto state = std::make_unique<State>();
  state->place = path.string();
  state->file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!state->file) return error(ErrorCode::kFile, "{}: is not a complete HDF5 file", path.string());
  try {
    PPDNMF_TRY_STATUS(state->located(state->open(limits)));
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory to read it", path.string());
  }
  return H5Matrix(std::move(state));
}

Result<H5Matrix> H5Matrix::open(ByteSpan image, const io::ReadLimits& limits) {
  constexpr std::size_t kGrowBy = 1 << 16;
  quiet();
  auto state = std::make_unique<State>();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  Bytes copy(image.begin(), image.end());  // the library wants one that it might change
  if (access && H5Pset_fapl_core(access.get(), kGrowBy, 0) >= 0 &&
      H5Pset_file_image(access.get(), copy.data(), copy.size()) >= 0)
    state->file = Handle(H5Fopen("image", H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!state->file) return error(ErrorCode::kFile, "it is not a complete HDF5 file");
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
  PPDNMF_TRY_STATUS(state_->located(read_range(state_->numbers, H5T_NATIVE_DOUBLE, first, count, value.data())));
  PPDNMF_TRY_STATUS(state_->located(read_range(state_->indices, H5T_NATIVE_INT, first, count, place.data())));
  const H5Shape& shape = state_->shape;
  const Index size = shape.order == H5Order::kByColumns ? shape.rows : shape.columns;
  const auto outside =
      std::find_if(place.begin(), place.end(), [&](int one) { return one < 0 || one >= static_cast<int>(size); });
  if (outside == place.end()) return {};
  return state_->located(error(ErrorCode::kFile, "entry {}: the index is {}, outside 0 to {}",
                               first + static_cast<std::uint64_t>(outside - place.begin()) + 1, *outside, size - 1));
}

Status H5Matrix::read_columns(Index first, Index count, double* to) const {
  return state_->located(read_range(state_->numbers, H5T_NATIVE_DOUBLE, static_cast<std::uint64_t>(first),
                                    static_cast<std::uint64_t>(count), to));
}

}  // namespace ppdnmf::convert
