#include <ppdnmf/io/validate.h>

#include <algorithm>
#include <cmath>

#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

// "row 3 ('A[C>A]T'), column 7 ('PD3851a')".
std::string place_text(const Table& table, Index row, Index column) {
  const auto one = [](const char* what, Index i, const std::vector<std::string>& names) {
    std::string text = fmt::format("{} {}", what, i + 1);
    if (!names.empty()) text += fmt::format(" ({})", in_quotes(names[static_cast<std::size_t>(i)]));
    return text;
  };
  return fmt::format("{}, {}", one("row", row, table.row_names), one("column", column, table.column_names));
}

struct Findings {
  Index count = 0;
  Index row = 0;
  Index column = 0;
};

template <typename Test>
Findings find_entries(const Matrix& values, const Test& test) {
  Findings found;
  for (Index column = 0; column < values.cols(); ++column) {
    for (Index row = 0; row < values.rows(); ++row) {
      if (!test(values(row, column))) continue;
      if (found.count++ == 0) {
        found.row = row;
        found.column = column;
      }
    }
  }
  return found;
}

const char* entries(Index count) { return count == 1 ? "entry is" : "entries are"; }

// "2 rows are all zero; the first is row 4 ('x')".
void note_zeros(std::string_view name, const char* what, const std::vector<Index>& zeros,
                const std::vector<std::string>& names, std::vector<std::string>& notes) {
  if (zeros.empty()) return;
  const Index first = zeros[0];
  std::string text = fmt::format("{}: {} {}{} all zero; the first is {} {}", name, zeros.size(), what,
                                 zeros.size() == 1 ? " is" : "s are", what, first + 1);
  if (!names.empty()) text += fmt::format(" ({})", in_quotes(names[static_cast<std::size_t>(first)]));
  notes.push_back(std::move(text));
}

std::vector<Index> zero_lines(const Matrix& values, bool rows) {
  const Eigen::VectorXd largest =
      rows ? Eigen::VectorXd(values.rowwise().maxCoeff()) : Eigen::VectorXd(values.colwise().maxCoeff().transpose());
  std::vector<Index> zeros;
  for (Index i = 0; i < largest.size(); ++i) {
    if (largest[i] == 0) zeros.push_back(i);
  }
  return zeros;
}

Status check_rows(const NamedTable& first, const NamedTable& other) {
  if (first.table.values.rows() != other.table.values.rows()) {
    return error(ErrorCode::kInvalidData, "{} has {} rows and {} has {}; all files must describe the same rows",
                 first.name, first.table.values.rows(), other.name, other.table.values.rows());
  }
  const auto& a = first.table.row_names;
  const auto& b = other.table.row_names;
  if (a.empty() || b.empty() || a == b) return {};
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin());
  auto sorted_a = a;
  auto sorted_b = b;
  std::sort(sorted_a.begin(), sorted_a.end());
  std::sort(sorted_b.begin(), sorted_b.end());
  return error(ErrorCode::kInvalidData, "row {} is called {} in {} and {} in {}; {}", in_a - a.begin() + 1,
               in_quotes(*in_a), first.name, in_quotes(*in_b), other.name,
               sorted_a == sorted_b ? "the names are the same in another order: bring them into one order"
                                    : "all files must describe the same rows");
}

}  // namespace

Result<CheckedTable> check_nonnegative(Table table, std::string_view name, bool clip) {
  const auto bad = find_entries(table.values, [](double x) { return !std::isfinite(x); });
  if (bad.count > 0) {
    return error(ErrorCode::kInvalidData, "{}: {} {} not finite, the first at {} ({}); replace or remove {}", name,
                 bad.count, entries(bad.count), place_text(table, bad.row, bad.column),
                 table.values(bad.row, bad.column), bad.count == 1 ? "it" : "them");
  }
  CheckedTable checked;
  const auto negative = find_entries(table.values, [](double x) { return x < 0; });
  if (negative.count > 0) {
    const std::string what =
        fmt::format("{}: {} {} negative, the first at {} ({})", name, negative.count, entries(negative.count),
                    place_text(table, negative.row, negative.column), table.values(negative.row, negative.column));
    if (!clip) return error(ErrorCode::kInvalidData, "{}; `clip_negative` sets negative entries to zero", what);
    checked.notes.push_back(what + "; set to zero as asked");
  }
  // Also turns -0 into 0, so that equal data give equal bytes.
  table.values = table.values.unaryExpr([](double x) { return x > 0 ? x : 0.0; });
  const double largest = table.values.size() > 0 ? table.values.maxCoeff() : 0;
  if (largest > kLargestMaximum || (largest > 0 && largest < kSmallestMaximum)) {
    return error(ErrorCode::kInvalidData,
                 "{}: the largest entry is {:g}; choose a unit in which it is from {:g} to {:g}", name, largest,
                 kSmallestMaximum, kLargestMaximum);
  }
  note_zeros(name, "row", zero_lines(table.values, true), table.row_names, checked.notes);
  note_zeros(name, "column", zero_lines(table.values, false), table.column_names, checked.notes);
  checked.table = std::move(table);
  return checked;
}

Result<Table> join_columns(std::vector<NamedTable> tables) {
  if (tables.empty()) return error(ErrorCode::kUsage, "no data file was given");
  if (tables.size() == 1) return std::move(tables[0].table);
  // Row names are compared with those of the first table that has any.
  std::size_t named = 0;
  while (named + 1 < tables.size() && tables[named].table.row_names.empty()) ++named;
  Index columns = 0;
  bool names = false;
  bool same_image = true;
  for (const NamedTable& one : tables) {
    PPDNMF_TRY_STATUS(check_rows(tables[one.table.row_names.empty() ? 0 : named], one));
    columns += one.table.values.cols();
    names = names || !one.table.column_names.empty();
    const auto& image = one.table.image;
    const auto& first = tables[0].table.image;
    same_image = same_image && image && first && image->height == first->height && image->width == first->width;
  }
  Table joined;
  joined.values.resize(tables[0].table.values.rows(), columns);
  joined.row_names = tables[named].table.row_names;
  if (same_image) joined.image = tables[0].table.image;
  Index at_column = 0;
  for (NamedTable& one : tables) {
    joined.values.middleCols(at_column, one.table.values.cols()) = one.table.values;
    const Index own = one.table.values.cols();
    one.table.values.resize(0, 0);  // no more is held twice than one file's
    at_column += own;
    if (!names) continue;
    for (Index i = 0; i < own; ++i) {
      const auto& given = one.table.column_names;
      joined.column_names.push_back(given.empty() ? fmt::format("{}:{}", one.name, i + 1)
                                                  : given[static_cast<std::size_t>(i)]);
    }
  }
  return joined;
}

}  // namespace ppdnmf::io
