#include "consortium/member_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "io/text.h"

namespace ppdnmf {
namespace {

using Places = std::unordered_map<std::string_view, Index>;

// "'x'", or "'x' and 3 more".
std::string first_of(const std::vector<std::string_view>& names) {
  return names.size() == 1 ? in_quotes(names.front())
                           : fmt::format("{} and {} more", in_quotes(names.front()), names.size() - 1);
}

Result<Places> places_of(const std::vector<std::string>& names, std::string_view file) {
  Places places;
  Index row = 0;
  for (const std::string& name : names) {
    if (const auto [there, added] = places.emplace(name, row); !added) {
      return error(ErrorCode::kInvalidData, "{}: rows {} and {} are both called {}: rows need different names", file,
                   there->second + 1, row + 1, in_quotes(name));
    }
    ++row;
  }
  return places;
}

// For each of the consortium's rows its place in the file.
Result<std::vector<Index>> order_of(const std::vector<std::string>& agreed, const std::vector<std::string>& found,
                                    std::string_view file) {
  PPDNMF_TRY(Places places, places_of(found, file));
  std::vector<Index> order;
  std::vector<std::string_view> missing;
  for (const std::string& name : agreed) {
    const auto place = places.find(name);
    if (place == places.end()) {
      missing.push_back(name);
      continue;
    }
    order.push_back(place->second);
    place->second = -1;
  }
  std::vector<std::string_view> unknown;
  for (const std::string& name : found) {
    if (places.at(name) >= 0) unknown.push_back(name);
  }
  if (!missing.empty() || !unknown.empty()) {
    std::string what;
    if (!missing.empty()) what += "lacks the row " + first_of(missing);
    if (!unknown.empty())
      what += fmt::format("{}has the row {} that the consortium does not know", what.empty() ? "" : " and ",
                          first_of(unknown));
    return error(ErrorCode::kInvalidData, "{}: {}: the rows must be those of the consortium file's row_names", file,
                 what);
  }
  return order;
}

}  // namespace

Result<CheckedTable> arrange_rows(Table table, std::string_view file, bool clip_negative,
                                  const AgreedSettings& settings) {
  std::string note;
  const std::vector<std::string>& agreed = settings.row_names;
  // By name first: a sentence that names a row is worth more than one with two numbers.
  if (!agreed.empty() && !table.row_names.empty()) {
    PPDNMF_TRY(const std::vector<Index> order, order_of(agreed, table.row_names, file));
    if (!std::is_sorted(order.begin(), order.end())) {
      table.values = Matrix(table.values(order, Eigen::all));
      note = fmt::format("{}: its rows were put into the consortium's order by their names", file);
      table.image.reset();
    }
    table.row_names = agreed;
  } else if (table.values.rows() != settings.rows) {
    return error(ErrorCode::kInvalidData, "{}: has {} rows, but the consortium agreed on {}", file, table.values.rows(),
                 settings.rows);
  } else if (!agreed.empty()) {
    note = fmt::format("{}: has no row names: its rows are taken to be in the consortium's order", file);
    table.row_names = agreed;
  } else if (!table.row_names.empty()) {
    note =
        fmt::format("{}: the consortium has no row names to compare its rows with: they are taken as they stand", file);
  }
  PPDNMF_TRY(CheckedTable checked, check_nonnegative(std::move(table), file, clip_negative));
  if (!note.empty()) checked.notes.insert(checked.notes.begin(), std::move(note));
  return checked;
}

}  // namespace ppdnmf
