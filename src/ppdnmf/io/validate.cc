#include <ppdnmf/io/validate.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <ppdnmf/io/sparse.h>
#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

// "row 3 ('A[C>A]T'), column 7 ('PD3851a')".
std::string place_text(const TableNames& names, Index row, Index column) {
  const auto one = [](const char* what, Index i, const std::vector<std::string>& own) {
    std::string text = fmt::format("{} {}", what, i + 1);
    if (!own.empty()) text += fmt::format(" ({})", in_quotes(own[static_cast<std::size_t>(i)]));
    return text;
  };
  return fmt::format("{}, {}", one("row", row, names.rows), one("column", column, names.columns));
}

struct Findings {
  Index count = 0;
  Index row = 0;
  Index column = 0;
  double value = 0;
};

// A matrix, or nonzero entries, behind one face: visit(row, column, entry&), column by column.
struct DenseEntries {
  Eigen::Ref<Matrix>& values;
  [[nodiscard]] Index rows() const { return values.rows(); }
  [[nodiscard]] Index columns() const { return values.cols(); }
  template <typename Visit>
  void walk(const Visit& visit) {
    for (Index column = 0; column < values.cols(); ++column) {
      for (Index row = 0; row < values.rows(); ++row) visit(row, column, values(row, column));
    }
  }
};

struct SparseEntries {
  data::Nonzeros& Z;
  [[nodiscard]] Index rows() const { return Z.rows; }
  [[nodiscard]] Index columns() const { return Z.count(); }
  template <typename Visit>
  void walk(const Visit& visit) {
    for (Index column = 0; column < Z.count(); ++column) {
      for (std::size_t i = Z.first[static_cast<std::size_t>(column)]; i < Z.first[static_cast<std::size_t>(column) + 1];
           ++i)
        visit(static_cast<Index>(Z.row[i]), column, Z.value[i]);
    }
  }
};

template <typename Entries, typename Test>
Findings find_entries(Entries& entries, const Test& test) {
  Findings found;
  entries.walk([&](Index row, Index column, double value) {
    if (!test(value)) return;
    if (found.count++ == 0) found = {1, row, column, value};
  });
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

// Those whose entries are all zero, as far as they are there, and there is one.
template <typename Entries>
std::vector<Index> zero_lines(Entries& entries, bool rows) {
  const Index length = rows ? entries.columns() : entries.rows();
  const auto lines = static_cast<std::size_t>(rows ? entries.rows() : entries.columns());
  std::vector<Index> missing(lines);
  std::vector<bool> other(lines);
  entries.walk([&](Index row, Index column, double value) {
    const auto line = static_cast<std::size_t>(rows ? row : column);
    if (std::isnan(value)) {
      ++missing[line];
    } else if (value != 0) {
      other[line] = true;
    }
  });
  std::vector<Index> zeros;
  for (std::size_t i = 0; i < lines; ++i) {
    if (!other[i] && missing[i] < length) zeros.push_back(static_cast<Index>(i));
  }
  return zeros;
}

template <typename Entries>
Result<std::vector<std::string>> check_entries(Entries values, const TableNames& names, std::string_view name,
                                               bool clip, bool missing) {
  const auto bad = find_entries(values, [&](double x) { return !std::isfinite(x) && !(missing && std::isnan(x)); });
  if (bad.count > 0) {
    return error(ErrorCode::kInvalidData, "{}: {} {} not finite, the first at {} ({}); replace or remove {}{}", name,
                 bad.count, entries(bad.count), place_text(names, bad.row, bad.column), bad.value,
                 bad.count == 1 ? "it" : "them",
                 std::isnan(bad.value) ? ", or say with `missing=nan` that NaN is a missing entry" : "");
  }
  std::vector<std::string> notes;
  const auto negative = find_entries(values, [](double x) { return x < 0; });
  if (negative.count > 0) {
    const std::string what =
        fmt::format("{}: {} {} negative, the first at {} ({})", name, negative.count, entries(negative.count),
                    place_text(names, negative.row, negative.column), negative.value);
    if (!clip) return error(ErrorCode::kInvalidData, "{}; `clip_negative` sets negative entries to zero", what);
    notes.push_back(what + "; set to zero as asked");
  }
  // Also turns -0 into 0, so that equal data give equal bytes.
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();  // of many bit patterns always the same
  double largest = 0;
  values.walk([&](Index /*row*/, Index /*column*/, double& x) {
    x = x > 0 ? x : std::isnan(x) ? kMissing : 0.0;
    largest = std::max(largest, x);  // never NaN
  });
  if (largest > kLargestMaximum || (largest > 0 && largest < kSmallestMaximum)) {
    return error(ErrorCode::kInvalidData,
                 "{}: the largest entry is {:g}; choose a unit in which it is from {:g} to {:g}", name, largest,
                 kSmallestMaximum, kLargestMaximum);
  }
  note_zeros(name, "row", zero_lines(values, true), names.rows, notes);
  note_zeros(name, "column", zero_lines(values, false), names.columns, notes);
  return notes;
}

}  // namespace

Result<std::vector<std::string>> check_nonnegative(Eigen::Ref<Matrix> values, const TableNames& names,
                                                   std::string_view name, bool clip, bool missing) {
  return check_entries(DenseEntries{values}, names, name, clip, missing);
}

Result<std::vector<std::string>> check_nonnegative(data::Nonzeros& Z, const TableNames& names, std::string_view name,
                                                   bool clip, bool missing) {
  auto notes = check_entries(SparseEntries{Z}, names, name, clip, missing);
  tidy(Z);
  return notes;
}

Result<CheckedTable> check_nonnegative(Table table, std::string_view name, bool clip, bool missing) {
  if (table.far) return CheckedTable{std::move(table), {}};
  const TableNames names{table.row_names, table.column_names};
  PPDNMF_TRY(std::vector<std::string> notes, table.nonzeros
                                                 ? check_nonnegative(*table.nonzeros, names, name, clip, missing)
                                                 : check_nonnegative(table.values, names, name, clip, missing));
  return CheckedTable{std::move(table), std::move(notes)};
}

}  // namespace ppdnmf::io
