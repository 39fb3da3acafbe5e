#include <ppdnmf/data/persons.h>

#include <string_view>
#include <unordered_map>
#include <utility>

#include <ppdnmf/base/result.h>

namespace ppdnmf::data {
namespace {

class PersonsColumns final : public ColumnsOver {
 public:
  PersonsColumns(SharedColumns columns, std::vector<Index> of_person)
      : ColumnsOver(std::move(columns)), of_person_(std::move(of_person)) {}

  [[nodiscard]] Index columns_of_person(Index column) const override {
    return of_person_[static_cast<std::size_t>(column)];
  }

 private:
  std::vector<Index> of_person_;
};

}  // namespace

SharedColumns of_persons(SharedColumns columns, std::span<const std::string> persons) {
  if (persons.empty()) return columns;
  PPDNMF_CHECK(static_cast<Index>(persons.size()) == columns->count());
  std::unordered_map<std::string_view, Index> counts;
  for (const std::string& person : persons) ++counts[person];
  std::vector<Index> of_person;
  of_person.reserve(persons.size());
  for (const std::string& person : persons) of_person.push_back(counts[person]);
  return std::make_shared<PersonsColumns>(std::move(columns), std::move(of_person));
}

}  // namespace ppdnmf::data
