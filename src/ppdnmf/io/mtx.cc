#include <ppdnmf/io/mtx.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <ppdnmf/io/file.h>
#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {

Result<MtxBanner> parse_mtx_banner(std::string_view line) {
  WordReader words(line);
  if (lower(words.next()) != "%%matrixmarket") {
    return error(ErrorCode::kFile, "it is not a Matrix Market file: its first line does not start with %%MatrixMarket");
  }
  const std::string object = lower(words.next());
  const std::string format = lower(words.next());
  const std::string field = lower(words.next());
  const std::string symmetry = lower(words.next());
  if (object != "matrix") return error(ErrorCode::kFile, "line 1: it holds a {}, not a matrix", in_quotes(object));
  if (format != "array" && format != "coordinate") {
    return error(ErrorCode::kFile, "line 1: {} is neither array nor coordinate", in_quotes(format));
  }
  if (field != "real" && field != "double" && field != "integer" && field != "pattern") {
    return error(ErrorCode::kFile, "line 1: its numbers are {}; real, integer and pattern can be read",
                 in_quotes(field));
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    return error(ErrorCode::kFile, "line 1: it is {}; general and symmetric matrices can be read", in_quotes(symmetry));
  }
  if (field == "pattern" && format == "array") {
    return error(ErrorCode::kFile, "line 1: an array file cannot hold a pattern");
  }
  return MtxBanner{format == "coordinate", field == "pattern", symmetry == "symmetric"};
}

namespace {

// Reads what follows the banner.
class Body {
 public:
  // `size`: of the whole file.
  Body(WordReader words, std::uint64_t size, const ReadLimits& limits)
      : words_(std::move(words)), size_(size), limits_(limits) {
    words_.skip_comments('%');
  }

  Result<Table> read(const MtxBanner& banner) {
    PPDNMF_TRY(const std::uint64_t rows, count("the number of rows"));
    PPDNMF_TRY(const std::uint64_t columns, count("the number of columns"));
    std::uint64_t entries = 0;
    if (banner.coordinate) {
      PPDNMF_TRY(entries, count("the number of entries"));
    }
    PPDNMF_TRY_STATUS(banner.coordinate ? check_sparse_size(rows, columns, entries, limits_)
                                        : check_size(rows, columns, limits_));
    if (banner.symmetric && rows != columns) {
      return error(ErrorCode::kFile, "line {}: a symmetric matrix cannot have {} rows and {} columns", words_.line(),
                   rows, columns);
    }
    if (!banner.coordinate) entries = banner.symmetric ? rows * (rows + 1) / 2 : rows * columns;
    // Every entry takes two bytes at least: its number or place, and a blank.
    if (entries > size_) {
      return error(ErrorCode::kFile, "it claims {} entries, but has only {} bytes: it is not complete", entries, size_);
    }
    Table table;
    if (banner.coordinate) {
      PPDNMF_TRY(table, coordinate(banner, static_cast<Index>(rows), static_cast<Index>(columns), entries));
    } else {
      PPDNMF_TRY(table.values, make_matrix(rows, columns, limits_));
      PPDNMF_TRY_STATUS(array(banner, table.values));
    }
    const auto word = words_.next();
    PPDNMF_TRY_STATUS(words_.problem());
    if (!word.empty()) {
      return error(ErrorCode::kFile, "line {}: {} follows after the last entry", words_.line(), in_quotes(word));
    }
    return table;
  }

 private:
  Result<std::uint64_t> count(const char* what) {
    const auto word = words_.next();
    if (word.empty()) {
      PPDNMF_TRY_STATUS(words_.problem());
      return error(ErrorCode::kFile, "it ends where {} should be: it is not complete", what);
    }
    const auto number = parse_count(word);
    if (!number) return error(ErrorCode::kFile, "line {}: {} is not {}", words_.line(), in_quotes(word), what);
    return *number;
  }
  Result<double> number() {
    const auto word = words_.next();
    if (word.empty()) {
      PPDNMF_TRY_STATUS(words_.problem());
      return error(ErrorCode::kFile, "it ends before its last entry: it is not complete");
    }
    const auto value = parse_number(word);
    if (!value) return error(ErrorCode::kFile, "line {}: {} is not a number", words_.line(), in_quotes(word));
    return *value;
  }
  Result<Index> place(const char* what, Index size) {
    PPDNMF_TRY(const std::uint64_t index, count(what));
    if (index < 1 || index > static_cast<std::uint64_t>(size)) {
      return error(ErrorCode::kFile, "line {}: {} is {}, outside 1 to {}", words_.line(), what, index, size);
    }
    return static_cast<Index>(index) - 1;
  }
  Result<Table> coordinate(const MtxBanner& banner, Index rows, Index columns, std::uint64_t entries) {
    Entries found;
    const std::size_t room = entries * (banner.symmetric ? 2 : 1);
    found.row.reserve(room);
    found.column.reserve(room);
    found.value.reserve(room);
    const auto add = [&](Index row, Index column, double value) {
      found.row.push_back(static_cast<int>(row));
      found.column.push_back(static_cast<int>(column));
      found.value.push_back(value);
    };
    for (std::uint64_t i = 0; i < entries; ++i) {
      PPDNMF_TRY(const Index row, place("the row number", rows));
      PPDNMF_TRY(const Index column, place("the column number", columns));
      double value = 1;
      if (!banner.pattern) {
        PPDNMF_TRY(value, number());
      }
      add(row, column, value);
      if (banner.symmetric && row != column) add(column, row, value);
    }
    data::Nonzeros Z = compress(rows, columns, std::move(found));
    return sparse_table(std::move(Z), limits_);
  }
  // Column by column; of a symmetric matrix only what lies on and below the diagonal.
  Status array(const MtxBanner& banner, Matrix& values) {
    for (Index column = 0; column < values.cols(); ++column) {
      for (Index row = banner.symmetric ? column : 0; row < values.rows(); ++row) {
        PPDNMF_TRY(values(row, column), number());
        if (banner.symmetric) values(column, row) = values(row, column);
      }
    }
    return {};
  }
  WordReader words_;
  std::uint64_t size_;
  ReadLimits limits_;
};

}  // namespace

Result<Table> parse_mtx(std::string_view text, std::uint64_t size, WordReader::More more, const ReadLimits& limits) {
  const std::size_t first_end = std::min(text.find('\n'), text.size());
  PPDNMF_TRY(const MtxBanner banner, parse_mtx_banner(text.substr(0, first_end)));
  WordReader words(text.substr(std::min(first_end + 1, text.size())), 2, std::move(more));
  return Body(std::move(words), size, limits).read(banner);
}

Result<Table> parse_mtx(ByteSpan bytes, const ReadLimits& limits) {
  return parse_mtx(as_text(bytes), bytes.size(), {}, limits);
}

Result<Table> read_mtx(const std::filesystem::path& path, const ReadLimits& limits) {
  PPDNMF_TRY(InputFile file, InputFile::open(path, limits.max_file_bytes));
  FileText text(file);
  PPDNMF_TRY(const std::string_view begin, text.more({}));
  auto table = parse_mtx(
      begin, file.size(), [&](std::string_view rest) { return text.more(rest); }, limits);
  if (!table) return at(path.string(), std::move(table).error());
  return table;
}

std::string format_mtx(const data::Columns& columns) {
  std::string out = fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", columns.rows(),
                                columns.count(), data::count_nonzeros(columns));
  data::walk(columns, {0, columns.count()}, [&](const data::Block& block, const data::Range& range) {
    for (Index m = 0; m < block.count; ++m) {
      data::for_entries(block, m, [&](Index l, double z) {
        if (z != 0) fmt::format_to(std::back_inserter(out), "{} {} {}\n", l + 1, range.first + m + 1, z);
      });
    }
  });
  return out;
}

Status write_mtx(const std::filesystem::path& path, const data::Columns& columns, unsigned mode) {
  return write_file(path, format_mtx(columns), mode);
}

}  // namespace ppdnmf::io
