#include <ppdnmf/io/validate.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

// Those whose entries are all zero, as far as they are there, and there is one.
std::vector<Index> zero_lines(const Eigen::Ref<const Matrix>& values, bool rows) {
  std::vector<unsigned char> seen(static_cast<std::size_t>(rows ? values.rows() : values.cols()));
  constexpr unsigned char kZero = 1;
  constexpr unsigned char kOther = 2;
  for (Index column = 0; column < values.cols(); ++column) {
    for (Index row = 0; row < values.rows(); ++row) {
      const double value = values(row, column);
      if (!std::isnan(value)) seen[static_cast<std::size_t>(rows ? row : column)] |= value == 0 ? kZero : kOther;
    }
  }
  std::vector<Index> zeros;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == kZero) zeros.push_back(static_cast<Index>(i));
  }
  return zeros;
}

double largest_of(const Eigen::Ref<const Matrix>& values) {
  double largest = 0;
  for (Index column = 0; column < values.cols(); ++column) {
    for (Index row = 0; row < values.rows(); ++row) largest = std::max(largest, values(row, column));  // never NaN
  }
  return largest;
}

}  // namespace

Result<std::vector<std::string>> check_nonnegative(Eigen::Ref<Matrix> values, const TableNames& names,
                                                   std::string_view name, bool clip, bool missing) {
  const auto bad = find_entries(values, [&](double x) { return !std::isfinite(x) && !(missing && std::isnan(x)); });
  if (bad.count > 0) {
    const bool nan = std::isnan(values(bad.row, bad.column));
    return error(ErrorCode::kInvalidData, "{}: {} {} not finite, the first at {} ({}); replace or remove {}{}", name,
                 bad.count, entries(bad.count), place_text(names, bad.row, bad.column), values(bad.row, bad.column),
                 bad.count == 1 ? "it" : "them", nan ? ", or say with `missing=nan` that NaN is a missing entry" : "");
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
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();  // of many bit patterns always the same
  values = values.unaryExpr([](double x) { return x > 0 ? x : std::isnan(x) ? kMissing : 0.0; });
  const double largest = largest_of(values);
  if (largest > kLargestMaximum || (largest > 0 && largest < kSmallestMaximum)) {
    return error(ErrorCode::kInvalidData,
                 "{}: the largest entry is {:g}; choose a unit in which it is from {:g} to {:g}", name, largest,
                 kSmallestMaximum, kLargestMaximum);
  }
  note_zeros(name, "row", zero_lines(values, true), names.rows, notes);
  note_zeros(name, "column", zero_lines(values, false), names.columns, notes);
  return notes;
}

Result<CheckedTable> check_nonnegative(Table table, std::string_view name, bool clip, bool missing) {
  PPDNMF_TRY(std::vector<std::string> notes,
             check_nonnegative(table.values, {table.row_names, table.column_names}, name, clip, missing));
  return CheckedTable{std::move(table), std::move(notes)};
}

}  // namespace ppdnmf::io
