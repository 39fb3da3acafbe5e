#include <ppdnmf/spread/sources.h>

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/spread/coding.h>

namespace ppdnmf::spread {
namespace {

namespace fs = std::filesystem;

// A part of a file fits one process; the file may be as large as the memory of all.
io::ReadLimits limits() {
  io::ReadLimits limits;
  limits.max_entries = std::uint64_t{1} << 40U;
  limits.max_file_bytes = std::uint64_t{1} << 43U;
  limits.keep_sparse = true;
  return limits;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Where a run of digits ends, without the zeros in front of it.
std::string_view number_at(std::string_view text, std::size_t& at) {
  const std::size_t first = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  std::string_view number = text.substr(first, at - first);
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return number;
}

io::Table columns_of(const io::Table& table, const data::Range& range) {
  io::Table out;
  out.row_names = table.row_names;
  if (!table.column_names.empty()) {
    const auto first = table.column_names.begin() + range.first;
    out.column_names.assign(first, first + range.count);
  }
  if (table.nonzeros) {
    out.nonzeros = data::nonzeros_of(*data::view(*table.nonzeros, range));
  } else {
    out.values = table.values.middleCols(range.first, range.count);
  }
  return out;
}

}  // namespace

void put(ByteWriter& out, const Piece& piece) {
  out.put(piece.place);
  out.put_string(piece.file);
  put(out, piece.columns);
  out.put<std::int64_t>(piece.of_file);
  out.put<std::int64_t>(piece.rows);
}

Piece get_piece(ByteReader& in) {
  Piece piece;
  piece.place = in.get<std::uint64_t>();
  piece.file = in.get_string();
  piece.columns = get_range(in);
  piece.of_file = in.get<std::int64_t>();
  piece.rows = in.get<std::int64_t>();
  return piece;
}

std::vector<std::string> find_files(const std::string& name) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) return {name};
  const fs::path path(name);
  const std::string pattern = path.filename().string();
  std::vector<std::string> found;
  if (pattern.find_first_of("*?[") == std::string::npos) return found;
  const fs::path folder = path.parent_path();
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
    const std::string file = entry.path().filename().string();
    if (::fnmatch(pattern.c_str(), file.c_str(), FNM_PERIOD) == 0) found.push_back((folder / file).string());
  }
  return found;
}

bool comes_before(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view in_a = number_at(a, i);
      const std::string_view in_b = number_at(b, j);
      if (in_a.size() != in_b.size()) return in_a.size() < in_b.size();
      if (in_a != in_b) return in_a < in_b;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // part-1 and part-01
}

Status Sources::carry_out(Task task, ByteReader& in, ByteWriter& out) {
  if (task == Task::kFind) {  // the first of all: nothing is left of files that could not be read
    open_.clear();
    taken_.clear();
    for (const std::string& name : get_names(in)) put(out, find_files(name));
  } else if (task == Task::kOpen) {
    for (const std::string& file : get_names(in)) PPDNMF_TRY_STATUS(open(file, out));
  } else if (task == Task::kTake) {
    for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
      const Piece piece = get_piece(in);
      PPDNMF_TRY(io::Table table, read(piece));
      const bool whole = piece.columns.count == piece.of_file;
      std::string name = whole ? piece.file : fmt::format("{}, from column {} on", piece.file, piece.columns.first + 1);
      taken_.insert_or_assign(piece.place, Taken{std::move(name), std::move(table)});
    }
  } else if (task == Task::kLend) {
    PPDNMF_TRY(const io::Table table, read(get_piece(in)));
    put(out, table);
  } else {
    PPDNMF_CHECK(task == Task::kGive);
    const Piece piece = get_piece(in);
    taken_.insert_or_assign(
        piece.place, Taken{fmt::format("{}, from column {} on", piece.file, piece.columns.first + 1), get_table(in)});
  }
  return {};
}

// Of a .npy file the header says everything. Others are read as they will be needed: soon, and by this process.
Status Sources::open(const std::string& file, ByteWriter& out) {
  if (io::is_npy(file)) {
    PPDNMF_TRY(const io::NpyFile numbers, io::NpyFile::open(file, limits()));
    put(out, data::Range{numbers.rows(), numbers.columns()});
    put(out, std::vector<std::string>());
    put(out, std::vector<std::string>());
    return {};
  }
  PPDNMF_TRY(io::Table table, io::read_matrix(file, limits()));
  put(out, data::Range{table.rows(), table.columns()});
  put(out, table.row_names);
  put(out, table.column_names);
  open_.insert_or_assign(file, std::move(table));
  return {};
}

Result<io::Table> Sources::read(const Piece& piece) {
  if (const auto there = open_.find(piece.file); there != open_.end()) return columns_of(there->second, piece.columns);
  PPDNMF_TRY(const io::NpyFile numbers, io::NpyFile::open(piece.file, limits()));
  if (numbers.columns() != piece.of_file || numbers.rows() != piece.rows) {
    return error(ErrorCode::kFile, "{}: has {} x {} entries here and {} x {} elsewhere, or changed while it was read",
                 piece.file, numbers.rows(), numbers.columns(), piece.rows, piece.of_file);
  }
  io::Table table;
  auto values = io::make_matrix(static_cast<std::uint64_t>(numbers.rows()),
                                static_cast<std::uint64_t>(piece.columns.count), limits());
  if (!values) return at(piece.file, std::move(values).error());
  table.values = *std::move(values);
  PPDNMF_TRY_STATUS(numbers.read_columns(piece.columns, table.values.data()));
  return table;
}

Result<io::JoinedTable> Sources::join(bool clip_negative) {
  open_.clear();
  std::map<std::uint64_t, Taken> pieces;
  pieces.swap(taken_);
  if (pieces.empty()) return io::JoinedTable();
  io::ColumnJoiner joiner(clip_negative);
  for (auto& [place, piece] : pieces) PPDNMF_TRY_STATUS(joiner.add(piece.name, std::move(piece.table)));
  return std::move(joiner).take();
}

}  // namespace ppdnmf::spread
