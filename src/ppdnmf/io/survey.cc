#include <ppdnmf/io/survey.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

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

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();  // of many bit patterns always the same

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

}  // namespace

Survey::Survey(Index rows, Index columns, bool missing)
    : missing_(missing), in_row_(static_cast<std::size_t>(rows)), in_column_(static_cast<std::size_t>(columns)) {}

void Survey::Findings::add(Index row_, Index column_, double value_) {
  if (count++ > 0) return;
  row = row_;
  column = column_;
  value = value_;
}

void Survey::see(Index row, Index column, double value) {
  if (value > 0 && value <= std::numeric_limits<double>::max()) {
    in_row_[static_cast<std::size_t>(row)] = in_column_[static_cast<std::size_t>(column)] = 1;
    largest_ = std::max(largest_, value);
  } else if (std::isnan(value) && missing_) {
    if (missing_in_row_.empty()) {
      missing_in_row_.resize(in_row_.size());
      missing_in_column_.resize(in_column_.size());
    }
    ++missing_in_row_[static_cast<std::size_t>(row)];
    ++missing_in_column_[static_cast<std::size_t>(column)];
    unclean_ = unclean_ || bits_of(value) != bits_of(kMissing);
  } else if (!std::isfinite(value)) {
    bad_.add(row, column, value);
  } else if (value < 0 || std::signbit(value)) {
    if (value < 0) negative_.add(row, column, value);
    unclean_ = true;
  }
}

// Of doubles from 0 to the largest, and of no others, the bits are numbers in the same order up to this one's.
void Survey::see_column(Index column, const double* values) {
  const std::uint64_t most = bits_of(std::numeric_limits<double>::max());
  std::uint64_t largest = 0;
  for (std::size_t l = 0; l < in_row_.size(); ++l) largest = std::max(largest, bits_of(values[l]));
  if (largest > most) {
    for (std::size_t l = 0; l < in_row_.size(); ++l) see(static_cast<Index>(l), column, values[l]);
    return;
  }
  for (std::size_t l = 0; l < in_row_.size(); ++l) in_row_[l] |= bits_of(values[l]);
  in_column_[static_cast<std::size_t>(column)] |= largest;
  largest_ = std::max(largest_, std::bit_cast<double>(largest));
}

// Those whose entries are all zero, as far as they are there, and there is one.
std::vector<Index> Survey::zero_lines(const std::vector<std::uint64_t>& there, const std::vector<Index>& missing,
                                      Index length) const {
  std::vector<Index> zeros;
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (there[i] == 0 && (missing.empty() || missing[i] < length)) zeros.push_back(static_cast<Index>(i));
  }
  return zeros;
}

Result<std::vector<std::string>> Survey::judge(const TableNames& names, std::string_view name, bool clip) const {
  if (bad_.count > 0) {
    return error(ErrorCode::kInvalidData, "{}: {} {} not finite, the first at {} ({}); replace or remove {}{}", name,
                 bad_.count, entries(bad_.count), place_text(names, bad_.row, bad_.column), bad_.value,
                 bad_.count == 1 ? "it" : "them",
                 std::isnan(bad_.value) ? ", or say with `missing=nan` that NaN is a missing entry" : "");
  }
  std::vector<std::string> notes;
  if (negative_.count > 0) {
    const std::string what =
        fmt::format("{}: {} {} negative, the first at {} ({})", name, negative_.count, entries(negative_.count),
                    place_text(names, negative_.row, negative_.column), negative_.value);
    if (!clip) return error(ErrorCode::kInvalidData, "{}; `clip_negative` sets negative entries to zero", what);
    notes.push_back(what + "; set to zero as asked");
  }
  if (largest_ > kLargestMaximum || (largest_ > 0 && largest_ < kSmallestMaximum)) {
    return error(ErrorCode::kInvalidData,
                 "{}: the largest entry is {:g}; choose a unit in which it is from {:g} to {:g}", name, largest_,
                 kSmallestMaximum, kLargestMaximum);
  }
  const auto rows = static_cast<Index>(in_row_.size());
  const auto columns = static_cast<Index>(in_column_.size());
  note_zeros(name, "row", zero_lines(in_row_, missing_in_row_, columns), names.rows, notes);
  note_zeros(name, "column", zero_lines(in_column_, missing_in_column_, rows), names.columns, notes);
  return notes;
}

}  // namespace ppdnmf::io
