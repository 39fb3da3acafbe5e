#include <ppdnmf/consortium/member_data.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include <ppdnmf/io/text.h>

namespace ppdnmf::consortium {
namespace {

using RowPlaces = std::unordered_map<std::string_view, Index>;

// "'x'", or "'x' and 3 more".
std::string first_of(const std::vector<std::string_view>& names) {
  return names.size() == 1 ? io::in_quotes(names.front())
                           : fmt::format("{} and {} more", io::in_quotes(names.front()), names.size() - 1);
}

Result<RowPlaces> places_of(const std::vector<std::string>& names, std::string_view file) {
  RowPlaces places;
  Index row = 0;
  for (const std::string& name : names) {
    if (const auto [there, added] = places.emplace(name, row); !added) {
      return error(ErrorCode::kInvalidData, "{}: rows {} and {} are both called {}: rows need different names", file,
                   there->second + 1, row + 1, io::in_quotes(name));
    }
    ++row;
  }
  return places;
}

// For each of the consortium's rows its place in the file.
Result<std::vector<Index>> order_of(const std::vector<std::string>& agreed, const std::vector<std::string>& found,
                                    std::string_view file) {
  PPDNMF_TRY(RowPlaces places, places_of(found, file));
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

Result<io::CheckedTable> arrange_rows(io::Table table, std::string_view file, bool clip_negative,
                                      const Consortium& consortium) {
  const bool missing = consortium.settings.missing == protocol::MissingKind::kNan;
  std::string note;
  const std::vector<std::string>& agreed = consortium.row_names;
  // By name first: a sentence that names a row is worth more than one with two numbers.
  if (!agreed.empty() && !table.row_names.empty()) {
    PPDNMF_TRY(const std::vector<Index> order, order_of(agreed, table.row_names, file));
    if (!std::is_sorted(order.begin(), order.end())) {
      Eigen::VectorXd column(table.values.rows());  // one at a time: all of them once more may not fit
      for (Index m = 0; m < table.values.cols(); ++m) {
        column = table.values.col(m)(order);
        table.values.col(m) = column;
      }
      note = fmt::format("{}: its rows were put into the consortium's order by their names", file);
      table.image.reset();
    }
    table.row_names = agreed;
  } else if (table.values.rows() != consortium.rows) {
    return error(ErrorCode::kInvalidData, "{}: has {} rows, but the consortium agreed on {}", file, table.values.rows(),
                 consortium.rows);
  } else if (!agreed.empty()) {
    note = fmt::format("{}: has no row names: its rows are taken to be in the consortium's order", file);
    table.row_names = agreed;
  } else if (!table.row_names.empty()) {
    note =
        fmt::format("{}: the consortium has no row names to compare its rows with: they are taken as they stand", file);
  }
  PPDNMF_TRY(io::CheckedTable checked, io::check_nonnegative(std::move(table), file, clip_negative, missing));
  if (!note.empty()) checked.notes.insert(checked.notes.begin(), std::move(note));
  const Index columns = checked.table.values.cols();
  if (const auto& counted_on = consortium.settings.columns; counted_on && columns > *counted_on) {
    checked.notes.push_back(
        fmt::format("{}: has {} columns alone, and the consortium counts on about {} from all members: a delta that is "
                    "small beside 1/{} may not be small beside 1 over the true number; have the file made again with "
                    "`columns`",
                    file, columns, *counted_on, *counted_on));
  }
  return checked;
}

Status check_start_matrix(const Matrix& X, const Consortium& consortium) {
  if (X.rows() != consortium.rows || X.cols() != consortium.settings.rank) {
    return error(ErrorCode::kUsage, "is {} by {}, but X is {} by {}", X.rows(), X.cols(), consortium.rows,
                 consortium.settings.rank);
  }
  if (X.allFinite() && (X.array() >= 0).all()) return {};
  return error(ErrorCode::kUsage, "has an entry that is negative or not a number: an X that a run ended with has none");
}

Status check_start_from(const std::optional<Matrix>& X, const Consortium& consortium) {
  if (!X && !consortium.start_from) return {};
  if (!X) {
    return error(ErrorCode::kUsage,
                 "the consortium file continues from the X of an earlier run: give that X.npy with `start_from`");
  }
  if (!consortium.start_from) {
    return error(ErrorCode::kUsage, "the run of this consortium file starts anew: leave out `start_from`");
  }
  PPDNMF_TRY_STATUS(check_start_matrix(*X, consortium));
  if (matrix_digest(*X) == *consortium.start_from) return {};
  return error(ErrorCode::kUsage,
               "is not the X from which the consortium file continues: take the one that its author gave to "
               "'ppdnmf consortium new'");
}

}  // namespace ppdnmf::consortium
