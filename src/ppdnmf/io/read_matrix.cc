#include <ppdnmf/io/read_matrix.h>

#include <new>
#include <string>
#include <system_error>
#include <utility>

#include <ppdnmf/io/csv.h>
#include <ppdnmf/io/file.h>
#include <ppdnmf/io/mat.h>
#include <ppdnmf/io/mtx.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/io/npz.h>
#include <ppdnmf/io/pgm.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

struct Source {
  std::filesystem::path path;
  std::string variable;  // of a MAT-file
};

// "faces.mat:Z" is the variable Z of faces.mat, unless a file has that very name.
Source split_variable(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::string text = path.string();
  const std::size_t place = lower(text).rfind(".mat:");
  if (place == std::string::npos || std::filesystem::exists(path, ignored)) return {path, {}};
  return {text.substr(0, place + 4), text.substr(place + 5)};
}

Result<Table> parse(ByteSpan bytes, const Source& source, const ReadLimits& limits) {
  const std::string extension = lower(source.path.extension().string());
  if (extension == ".csv") return parse_csv(bytes, ',', limits);
  if (extension == ".tsv") return parse_csv(bytes, '\t', limits);
  if (extension == ".npz") return parse_npz(bytes, limits);
  return parse_mat(bytes, source.variable, limits);
}

bool is_known(const std::filesystem::path& path) {
  const std::string extension = lower(path.extension().string());
  return extension == ".npy" || extension == ".csv" || extension == ".tsv" || extension == ".mtx" ||
         extension == ".npz" || extension == ".mat";
}

}  // namespace

Result<Table> read_matrix(const std::filesystem::path& path, const ReadLimits& limits) {
  try {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return read_pgm_folder(path, limits);
    const Source source = split_variable(path);
    if (!is_known(source.path) && !std::filesystem::exists(source.path, ignored)) {
      return error(ErrorCode::kFile, "{}: there is no such file or folder", path.string());
    }
    if (const std::string extension = lower(source.path.extension().string());
        extension == ".h5ad" || extension == ".h5") {
      return error(ErrorCode::kFile,
                   "{}: HDF5 files are read only as data: write it in another format with 'ppdnmf convert'",
                   path.string());
    }
    if (!is_known(source.path)) {
      return error(ErrorCode::kFile,
                   "{}: is not a .npy, .npz, .csv, .tsv, .mtx, .mat, .h5ad or .h5 file, or a folder of .pgm images",
                   path.string());
    }
    if (is_npy(source.path)) return read_npy(source.path, limits);
    if (lower(source.path.extension().string()) == ".mtx") return read_mtx(source.path, limits);
    PPDNMF_TRY(const Bytes bytes, read_file(source.path, limits.max_file_bytes));
    auto table = parse(bytes, source, limits);
    if (!table) return at(path.string(), std::move(table).error());
    return table;
  } catch (const std::bad_alloc&) {
    return error(ErrorCode::kFile, "{}: there is not enough memory to read it", path.string());
  }
}

}  // namespace ppdnmf::io
