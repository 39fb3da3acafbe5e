#include <ppdnmf/io/validate.h>

#include <algorithm>
#include <cmath>

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
};

template <typename Test>
Findings find_entries(const Eigen::Ref<const Matrix>& values, const Test& test) {
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

std::vector<Index> zero_lines(const Eigen::Ref<const Matrix>& values, bool rows) {
  const Eigen::VectorXd largest =
      rows ? Eigen::VectorXd(values.rowwise().maxCoeff()) : Eigen::VectorXd(values.colwise().maxCoeff().transpose());
  std::vector<Index> zeros;
  for (Index i = 0; i < largest.size(); ++i) {
    if (largest[i] == 0) zeros.push_back(i);
  }
  return zeros;
}

}  // namespace

Result<std::vector<std::string>> check_nonnegative(Eigen::Ref<Matrix> values, const TableNames& names,
                                                   std::string_view name, bool clip) {
  const auto bad = find_entries(values, [](double x) { return !std::isfinite(x); });
  if (bad.count > 0) {
    return error(ErrorCode::kInvalidData, "{}: {} {} not finite, the first at {} ({}); replace or remove {}", name,
                 bad.count, entries(bad.count), place_text(names, bad.row, bad.column), values(bad.row, bad.column),
                 bad.count == 1 ? "it" : "them");
  }
  std::vector<std::string> notes;
  const auto negative = find_entries(values, [](double x) { return x < 0; });
  if (negative.count > 0) {
    const std::string what =
        fmt::format("{}: {} {} negative, the first at {} ({})", name, negative.count, entries(negative.count),
                    place_text(names, negative.row, negative.column), values(negative.row, negative.column));
    if (!clip) return error(ErrorCode::kInvalidData, "{}; `clip_negative` sets negative entries to zero", what);
    notes.push_back(what + "; set to zero as asked");
  }
  // Also turns -0 into 0, so that equal data give equal bytes.
  values = values.unaryExpr([](double x) { return x > 0 ? x : 0.0; });
  const double largest = values.size() > 0 ? values.maxCoeff() : 0;
  if (largest > kLargestMaximum || (largest > 0 && largest < kSmallestMaximum)) {
    return error(ErrorCode::kInvalidData,
                 "{}: the largest entry is {:g}; choose a unit in which it is from {:g} to {:g}", name, largest,
                 kSmallestMaximum, kLargestMaximum);
  }
  note_zeros(name, "row", zero_lines(values, true), names.rows, notes);
  note_zeros(name, "column", zero_lines(values, false), names.columns, notes);
  return notes;
}

Result<CheckedTable> check_nonnegative(Table table, std::string_view name, bool clip) {
  PPDNMF_TRY(std::vector<std::string> notes,
             check_nonnegative(table.values, {table.row_names, table.column_names}, name, clip));
  return CheckedTable{std::move(table), std::move(notes)};
}

}  // namespace ppdnmf::io
