#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "consortium/check.h"

namespace ppdnmf {
namespace {

// "a, b, c", the first ten of them.
std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(names.size(), kShown);
  const std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "), more);
}

}  // namespace

std::vector<std::string> privacy_notes(const Consortium& consortium, const Graph& graph) {
  std::vector<std::string> notes;
  if (consortium.settings.exchange == AgreedExchange::kSum) {
    // Masks are shared by all pairs up to 65 agents, and by 64 partners of each beyond.
    constexpr std::uint32_t kMostPartners = 64;
    const std::uint32_t helpers = std::min(graph.agents() - 2, kMostPartners - 1);
    notes.push_back(fmt::format(
        "Every member learns totals over all members. To see one member's part alone, a member needs {} helpers.",
        helpers));
  } else {
    std::map<std::uint32_t, std::vector<std::string>> by_number;
    for (std::uint32_t i = 0; i < graph.agents(); ++i)
      by_number[graph.colluders_to_isolate(AgentId{i})].push_back(consortium.members[i].identity.name());
    for (const auto& [number, names] : by_number) {
      notes.push_back(
          number == 0
              ? fmt::format("Some neighbour of {} has no other neighbour and sees its messages alone.", list(names))
              : fmt::format("A neighbour of {} needs {} of its other neighbours as helpers to see its "
                            "messages alone.",
                            list(names), number));
    }
  }
  if (consortium.settings.exchange == AgreedExchange::kHardened && graph.agents() == 3) {
    notes.emplace_back(
        "With three members, a neighbourhood's sum and the closing sum tell the two others apart but for one weight: a "
        "fourth member or --exchange sum keeps them together.");
  }
  if (consortium.throw_away_seed)
    notes.emplace_back("Every secret of this run follows from a seed in the file: it protects nothing.");
  if (consortium.settings.start_from) {
    notes.push_back(
        fmt::format("Going on from an earlier X, every member can compute the part that {} had in the totals.",
                    list(consortium.allow_difference_of)));
  }
  return notes;
}

}  // namespace ppdnmf
