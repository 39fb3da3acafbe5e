#include <ppdnmf/convert/internal/h5_file.h>

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include <ppdnmf/io/text.h>

namespace ppdnmf::convert::internal {
namespace {

constexpr std::uint64_t kMaxChunkBytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t kLongestText = std::uint64_t{1} << 20U;

tl::unexpected<Error> unreadable(const std::string& what) {
  return error(ErrorCode::kFile, "its {} cannot be read: it is damaged, or packed in an unknown way", what);
}

void quiet() {
  (void)H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  (void)H5PLset_loading_state(0);  // a file must not choose code to be loaded
}

std::size_t bytes_of(const Dataset& set) { return H5Tget_size(set.type.get()); }

bool is_whole(const Dataset& set) { return H5Tget_class(set.type.get()) == H5T_INTEGER; }

// The bytes of a chunk, or 0 if it is not in chunks. Fails if they are too many.
Result<std::uint64_t> chunk_bytes(const Dataset& set, hid_t plan) {
  if (H5Pget_layout(plan) != H5D_CHUNKED) return std::uint64_t{0};
  std::vector<hsize_t> chunk(set.lengths.size());
  if (H5Pget_chunk(plan, static_cast<int>(chunk.size()), chunk.data()) < 0) return unreadable(set.name);
  std::uint64_t size = std::max<std::size_t>(bytes_of(set), 1);
  for (const hsize_t side : chunk) {
    if (side == 0 || side > kMaxChunkBytes / size)
      return error(ErrorCode::kFile, "its {} is in enormous chunks", set.name);
    size *= side;
  }
  return size;
}

Status check_filters(const Dataset& set, hid_t plan) {
  const int filters = H5Pget_nfilters(plan);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(plan, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32) {
      return error(ErrorCode::kFile, "its {} is compressed in a way that cannot be read: save it with gzip, or without",
                   set.name);
    }
  }
  return {};
}

// Where the numbers lie: in this file, behind filters of the library itself. What was never written reads as zeros, so
// that a file of a few bytes could stand for any number of them.
Status check_storage(const Dataset& set, hid_t plan, std::uint64_t file_bytes) {
  if (H5Pget_layout(plan) == H5D_VIRTUAL || H5Pget_external_count(plan) != 0)
    return error(ErrorCode::kFile, "its {} lies in other files: copy them into one", set.name);
  PPDNMF_TRY_STATUS(check_filters(set, plan));
  constexpr std::uint64_t kAlwaysBelieved = std::uint64_t{1} << 20U;  // bytes
  constexpr std::uint64_t kMostPacked = 1032;                         // what deflate makes of zeros
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 50U;
  const auto there = std::min<std::uint64_t>({H5Dget_storage_size(set.id.get()), file_bytes, kLargest});
  const std::uint64_t unpacked = (H5Pget_nfilters(plan) > 0 ? kMostPacked : 1) * there + kAlwaysBelieved;
  std::uint64_t room = unpacked / std::max<std::size_t>(bytes_of(set), 1);
  for (const std::uint64_t side : set.lengths) {
    if (side > room) return error(ErrorCode::kFile, "its {} is not complete: most of it was never written", set.name);
    if (side > 0) room /= side;
  }
  return {};
}

// The same dataset with room for what lies in some chunks: a chunk that is read in several parts is unpacked once.
void make_room(hid_t file, std::uint64_t chunk, Dataset& set) {
  constexpr std::size_t kSlots = 12421;  // a prime
  constexpr std::uint64_t kSideBySide = std::uint64_t{1} << 26U;
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  const std::uint64_t room = chunk + (set.lengths.size() == 2 ? kSideBySide : 0);
  (void)H5Pset_chunk_cache(access.get(), kSlots, room, H5D_CHUNK_CACHE_W0_DEFAULT);
  set.id = Handle();  // as long as it is open it has the room that it had
  set.id = Handle(H5Dopen2(file, set.name.c_str(), access.get()), H5Dclose);
}

// `transfer`: how; the library's number for "as usual" is 0.
template <typename T>
Status read_numbers(const Dataset& set, hid_t type, std::uint64_t first, std::uint64_t count, T* to,
                    hid_t transfer = H5P_DEFAULT) {
  if (count == 0) return {};
  std::vector<hsize_t> start(set.lengths.size(), 0);
  std::vector<hsize_t> counts(set.lengths.begin(), set.lengths.end());
  start[0] = first;
  counts[0] = count;
  const Handle from(H5Scopy(set.space.get()), H5Sclose);
  const Handle there(H5Screate_simple(static_cast<int>(counts.size()), counts.data(), nullptr), H5Sclose);
  if (!from || !there ||
      H5Sselect_hyperslab(from.get(), H5S_SELECT_SET, start.data(), nullptr, counts.data(), nullptr) < 0 ||
      H5Dread(set.id.get(), type, there.get(), from.get(), transfer, to) < 0) {
    return unreadable(set.name);
  }
  return {};
}

// Memory for texts of any length. A file may say of a million names that all lie in one place: together they get no
// more than the file has bytes.
class TextMemory {
 public:
  explicit TextMemory(std::uint64_t most) : left_(most) {}
  [[nodiscard]] bool use(hid_t transfer) {
    return H5Pset_vlen_mem_manager(transfer, take, this, give_back, nullptr) >= 0;
  }
  [[nodiscard]] bool refused() const { return refused_; }
  void clear() { texts_.clear(); }

 private:
  static void* take(std::size_t bytes, void* self) {
    auto& memory = *static_cast<TextMemory*>(self);
    memory.refused_ = memory.refused_ || bytes > memory.left_ || bytes > kLongestText;
    if (memory.refused_) return nullptr;
    memory.left_ -= bytes;
    try {  // the library is no place for exceptions
      memory.texts_.push_back(std::make_unique<char[]>(std::max<std::size_t>(bytes, 1)));
      return memory.texts_.back().get();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  static void give_back(void* /*text*/, void* /*self*/) {}

  std::uint64_t left_;
  bool refused_ = false;
  std::vector<std::unique_ptr<char[]>> texts_;
};

constexpr std::uint64_t kNamesAtATime = std::uint64_t{1} << 14U;

Status read_long_texts(const Dataset& set, std::uint64_t file_bytes, std::vector<std::string>& out) {
  const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  TextMemory memory(file_bytes + set.lengths[0]);  // each with a zero at its end
  if (!transfer || !memory.use(transfer.get())) return unreadable(set.name);
  std::vector<char*> texts;
  for (std::uint64_t done = 0; done < set.lengths[0]; done += texts.size()) {
    texts.assign(static_cast<std::size_t>(std::min<std::uint64_t>(kNamesAtATime, set.lengths[0] - done)), nullptr);
    const Status read = read_numbers(set, set.type.get(), done, texts.size(), texts.data(), transfer.get());
    if (memory.refused()) return error(ErrorCode::kFile, "its {} has texts that are too long for names", set.name);
    PPDNMF_TRY_STATUS(read);
    for (const char* const text : texts) out.emplace_back(text == nullptr ? "" : text);
    memory.clear();
  }
  return {};
}

Status read_fixed_texts(const Dataset& set, std::vector<std::string>& out) {
  const std::size_t length = bytes_of(set);
  if (length == 0 || length > kLongestText)
    return error(ErrorCode::kFile, "its {} has texts that are too long for names", set.name);
  const std::uint64_t at_a_time = std::max<std::uint64_t>(1, std::min(kNamesAtATime, (kLongestText << 2U) / length));
  std::vector<char> text;
  for (std::uint64_t done = 0; done < set.lengths[0]; done += at_a_time) {
    const std::uint64_t count = std::min<std::uint64_t>(at_a_time, set.lengths[0] - done);
    text.resize(count * length);
    PPDNMF_TRY_STATUS(read_numbers(set, set.type.get(), done, count, text.data()));
    for (std::uint64_t i = 0; i < count; ++i) out.push_back(fixed_text(text.data() + i * length, length));
  }
  return {};
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

}  // namespace

H5File::H5File(Handle file) : file_(std::move(file)) {
  hsize_t bytes = 0;
  if (H5Fget_filesize(file_.get(), &bytes) >= 0) bytes_ = bytes;
}

Result<H5File> H5File::open(const std::filesystem::path& path) {
  quiet();
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file) return error(ErrorCode::kFile, "it is not a complete HDF5 file");
  return H5File(std::move(file));
}

Result<H5File> H5File::open(ByteSpan image) {
  constexpr std::size_t kGrowBy = 1 << 16;
  quiet();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  Bytes copy(image.begin(), image.end());  // the library wants one that it might change
  Handle file;
  if (access && H5Pset_fapl_core(access.get(), kGrowBy, false) >= 0 &&
      H5Pset_file_image(access.get(), copy.data(), copy.size()) >= 0)
    file = Handle(H5Fopen("image", H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!file) return error(ErrorCode::kFile, "it is not a complete HDF5 file");
  return H5File(std::move(file));
}

bool H5File::has(const std::string& path) const { return H5Lexists(file_.get(), path.c_str(), H5P_DEFAULT) > 0; }

// Every step of the path is a name of its own in this file: what a link leads to is not looked at.
Status H5File::check_links(const std::string& path) const {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string step = path.substr(0, end);
    H5L_info_t link;
    if (!has(step) || H5Lget_info(file_.get(), step.c_str(), &link, H5P_DEFAULT) < 0)
      return error(ErrorCode::kFile, "it has no {}", path);
    if (link.type != H5L_TYPE_HARD)
      return error(ErrorCode::kFile, "its {} is a link, and links are not followed: copy what it leads to there", step);
    if (end == std::string::npos) return {};
  }
}

bool H5File::is_group(const std::string& path) const {
  if (!check_links(path)) return false;
  const Handle object(H5Oopen(file_.get(), path.c_str(), H5P_DEFAULT), H5Oclose);
  return object && H5Iget_type(object.get()) == H5I_GROUP;
}

Result<Dataset> H5File::dataset(const std::string& path) const {
  PPDNMF_TRY_STATUS(check_links(path));
  Dataset set;
  set.name = path;
  set.id = Handle(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!set.id) return error(ErrorCode::kFile, "its {} is not an array", path);
  set.space = Handle(H5Dget_space(set.id.get()), H5Sclose);
  set.type = Handle(H5Dget_type(set.id.get()), H5Tclose);
  const int sides = set.space ? H5Sget_simple_extent_ndims(set.space.get()) : -1;
  constexpr int kMostSides = 2;
  if (sides < 1 || sides > kMostSides || !set.type)
    return error(ErrorCode::kFile, "its {} is not a list or matrix", path);
  set.lengths.resize(static_cast<std::size_t>(sides));
  if (H5Sget_simple_extent_dims(set.space.get(), set.lengths.data(), nullptr) != sides) return unreadable(path);
  const Handle plan(H5Dget_create_plist(set.id.get()), H5Pclose);
  if (!plan) return unreadable(path);
  PPDNMF_TRY(const std::uint64_t chunk, chunk_bytes(set, plan.get()));
  PPDNMF_TRY_STATUS(check_storage(set, plan.get(), bytes_));
  if (chunk > 0) make_room(file_.get(), chunk, set);
  if (!set.id) return unreadable(path);
  return set;
}

Result<Dataset> H5File::list(const std::string& path, bool whole) const {
  PPDNMF_TRY(Dataset set, dataset(path));
  if (set.lengths.size() != 1 || !is_number(set) || (whole && !is_whole(set))) {
    return error(ErrorCode::kFile, "its {} is not a list of {}", path,
                 whole ? "whole numbers" : "numbers of at most 8 bytes");
  }
  return set;
}

Result<std::vector<std::string>> H5File::names(const std::string& path, Index lines) const {
  PPDNMF_TRY(const Dataset set, dataset(path));
  if (set.lengths.size() != 1 || set.lengths[0] != static_cast<hsize_t>(lines))
    return error(ErrorCode::kFile, "its {} is not a list of {} names", path, lines);
  if (H5Tget_class(set.type.get()) != H5T_STRING) return error(ErrorCode::kFile, "its {} is not text", path);
  std::vector<std::string> out;
  PPDNMF_TRY_STATUS(H5Tis_variable_str(set.type.get()) > 0 ? read_long_texts(set, bytes_, out)
                                                           : read_fixed_texts(set, out));
  return out;
}

Result<std::string> H5File::text_attribute(const std::string& path, const char* name) const {
  const Attribute attribute(file_.get(), path, name);
  if (!attribute.there) return std::string();
  if (!attribute.has(1)) return unreadable(attribute.what);
  const hid_t type = attribute.type.get();
  if (H5Tget_class(type) != H5T_STRING) return error(ErrorCode::kFile, "its {} is not text", attribute.what);
  if (H5Tis_variable_str(type) <= 0) {
    const std::size_t length = H5Tget_size(type);
    if (length > kLongestText) return unreadable(attribute.what);
    std::vector<char> text(length);
    if (H5Aread(attribute.id.get(), type, text.data()) < 0) return unreadable(attribute.what);
    return fixed_text(text.data(), length);
  }
  char* text = nullptr;
  if (H5Aread(attribute.id.get(), type, static_cast<void*>(&text)) < 0) return unreadable(attribute.what);
  std::string out = text == nullptr ? "" : text;
  (void)H5Dvlen_reclaim(type, attribute.space.get(), H5P_DEFAULT, static_cast<void*>(&text));
  return out;
}

Result<std::pair<std::int64_t, std::int64_t>> H5File::pair_attribute(const std::string& path, const char* name) const {
  const Attribute attribute(file_.get(), path, name);
  std::int64_t sides[2] = {};
  if (!attribute.has(2) || H5Tget_class(attribute.type.get()) != H5T_INTEGER ||
      H5Aread(attribute.id.get(), H5T_NATIVE_INT64, sides) < 0) {
    return error(ErrorCode::kFile, "its {} is not two whole numbers", attribute.what);
  }
  return std::pair{sides[0], sides[1]};
}

bool is_number(const Dataset& set) {
  const bool number = is_whole(set) || H5Tget_class(set.type.get()) == H5T_FLOAT;
  return number && bytes_of(set) >= 1 && bytes_of(set) <= sizeof(double);
}

Status read_range(const Dataset& set, std::uint64_t first, std::uint64_t count, double* to) {
  return read_numbers(set, H5T_NATIVE_DOUBLE, first, count, to);
}

Status read_range(const Dataset& set, std::uint64_t first, std::uint64_t count, int* to) {
  return read_numbers(set, H5T_NATIVE_INT, first, count, to);
}

Result<std::vector<std::int64_t>> read_integers(const Dataset& list) {
  std::vector<std::int64_t> out(list.lengths[0]);
  PPDNMF_TRY_STATUS(read_numbers(list, H5T_NATIVE_INT64, 0, out.size(), out.data()));
  return out;
}

}  // namespace ppdnmf::convert::internal
