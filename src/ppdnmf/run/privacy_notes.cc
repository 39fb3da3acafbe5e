#include <ppdnmf/run/privacy_notes.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include <ppdnmf/data/cap.h>
#include <ppdnmf/protocol/column_minimum.h>
#include <ppdnmf/protocol/own_columns.h>
#include <ppdnmf/protocol/privacy_account.h>

namespace ppdnmf::run {
namespace {

// "agents 0, 3, 7", the first ten of them.
std::string list_agents(const std::vector<std::uint32_t>& agents) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(agents.size(), kShown);
  const std::string more = agents.size() > shown ? fmt::format(" and {} more", agents.size() - shown) : "";
  return fmt::format("agent{} {}{}", agents.size() == 1 ? "" : "s",
                     fmt::join(agents.begin(), agents.begin() + shown, ", "), more);
}

std::vector<std::string> sum_notes(const std::vector<std::uint32_t>& colluders) {
  if (colluders.size() == 2) {
    return {
        "With two agents, a total less one's own part is the other's: nothing is hidden from the other agent, and a "
        "real "
        "run refuses."};
  }
  if (colluders.empty()) return {};
  const bool one = colluders.front() == 1;
  return {
      fmt::format("Every agent sees the totals over all agents. One agent's share of them is seen only if {} other{} "
                  "with a curious agent.",
                  colluders.front(), one ? " works" : "s work")};
}

std::vector<std::string> hardened_notes(const report::RunRecord& record) {
  std::vector<std::string> notes;
  // By number of colluders, those whose number is exact first.
  std::map<std::pair<std::uint32_t, bool>, std::vector<std::uint32_t>> by_number;
  for (std::uint32_t i = 0; i < record.colluders_to_isolate.size(); ++i) {
    const auto& unsure = record.colluders_at_least;
    by_number[{record.colluders_to_isolate[i], std::binary_search(unsure.begin(), unsure.end(), i)}].push_back(i);
  }
  if (const auto alone = by_number.find({0, false}); alone != by_number.end()) {
    notes.push_back(fmt::format(
        "The messages of {} would be seen alone by a neighbour that has no other neighbour; a real run refuses "
        "such a graph unless its consortium allows it.",
        list_agents(alone->second)));
  }
  if (by_number.empty()) return notes;
  std::vector<std::string> parts;
  parts.reserve(by_number.size());
  for (const auto& [number, agents] : by_number)
    parts.push_back(fmt::format("{}{} for {}", number.second ? "at least " : "", number.first, list_agents(agents)));
  notes.push_back(
      fmt::format("How many others must work with a curious agent before they see one agent's messages alone: {}.",
                  fmt::join(parts, "; ")));
  return notes;
}

}  // namespace

std::vector<std::string> privacy_notes(const protocol::RunSettings& settings, const report::RunRecord& record) {
  std::vector<std::string> notes;
  switch (settings.scheme) {
    case protocol::SchemeKind::kAsPrinted:
      notes.emplace_back(
          "The scheme as printed is not private: whoever receives an answer finds the sender's weight as the "
          "greatest common divisor of its entries, and with it the sender's factor; the weights themselves are "
          "revealed "
          "because the printed update needs them.");
      break;
    case protocol::SchemeKind::kSum:
    case protocol::SchemeKind::kMoments:
      notes = sum_notes(record.colluders_to_isolate);
      break;
    case protocol::SchemeKind::kHardened:
      notes = hardened_notes(record);
      break;
  }
  const protocol::ColumnMinimum minimum = protocol::column_minimum(settings.scheme, settings.rows, settings.rank);
  for (std::string& note : protocol::loss_notes(settings)) notes.push_back(std::move(note));
  for (std::string& note : protocol::search_notes(settings)) notes.push_back(std::move(note));
  for (std::string& note : protocol::few_column_notes(minimum, record.columns_per_agent))
    notes.push_back(std::move(note));
  return notes;
}

std::vector<std::string> crowd_notes(const protocol::RunSettings& settings,
                                     const std::vector<data::SharedColumns>& agents,
                                     const std::vector<std::string>& row_names) {
  if (agents.size() < 2) return {};
  std::vector<std::uint32_t> against;
  std::string first;
  std::optional<double> cap;
  if (settings.cap) {
    if (const Result<double> found = data::cap_of(agents, *settings.cap)) cap = *found;
  }
  for (std::uint32_t i = 0; i < agents.size(); ++i) {
    const std::optional<std::string> note = protocol::crowd_note(agents[i], settings, row_names, cap);
    if (!note) continue;
    if (against.empty()) first = *note;
    against.push_back(i);
  }
  if (against.empty()) return {};
  return {fmt::format("Of the columns of {}{}, {}.", list_agents(against),
                      against.size() == 1 ? "" : fmt::format(" (here agent {})", against.front()), first)};
}

std::vector<std::string> seeded_account_notes(const protocol::RunSettings& settings, std::uint32_t agents,
                                              bool persons) {
  if (!settings.privacy) return {};
  std::vector<std::string> notes = protocol::account_notes(*settings.privacy, persons);
  notes.insert(notes.begin(), protocol::way_note(settings, agents));
  notes.emplace_back(
      "This run itself promises nothing: its noise follows from its seed, and whoever knows the seed can subtract it; "
      "two "
      "runs with one seed have the same noise, so that their difference has none. The errors shown are "
      "known only because all data are in one place; agents of a private run do not learn them.");
  return notes;
}

}  // namespace ppdnmf::run
