#include <ppdnmf/io/row_order.h>

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include <ppdnmf/io/text.h>

namespace ppdnmf::io {
namespace {

using RowPlaces = std::unordered_map<std::string_view, Index>;

// "'x'", or "'x' and 3 more".
std::string first_of(const std::vector<std::string_view>& names) {
  return names.size() == 1 ? in_quotes(names.front())
                           : fmt::format("{} and {} more", in_quotes(names.front()), names.size() - 1);
}

Result<RowPlaces> places_of(const std::vector<std::string>& names, std::string_view file) {
  RowPlaces places;
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

}  // namespace

Result<std::vector<Index>> row_order(const std::vector<std::string>& wanted, const std::vector<std::string>& found,
                                     std::string_view file, const RowOwner& owner) {
  PPDNMF_TRY(RowPlaces places, places_of(found, file));
  std::vector<Index> order;
  std::vector<std::string_view> missing;
  for (const std::string& name : wanted) {
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
      what += fmt::format("{}has the row {} that {} does not know", what.empty() ? "" : " and ", first_of(unknown),
                          owner.who);
    return error(ErrorCode::kInvalidData, "{}: {}: the rows must be {}", file, what, owner.where);
  }
  return order;
}

}  // namespace ppdnmf::io
