#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/lost_member.h>
#include <ppdnmf/protocol/neighbours/isolation.h>
#include <ppdnmf/protocol/privacy_account.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/protocol/trust.h>

namespace ppdnmf::consortium {
namespace {

// "a, b, c", the first ten of them.
std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(names.size(), kShown);
  const std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "), more);
}

// Everything that the members allowed by name, whether or not it comes to that.
void note_allowed(const Consortium& c, std::vector<std::string>& notes) {
  if (!c.allow_degree_one.empty()) {
    notes.push_back(fmt::format("allow_degree_one: {} may have one neighbour only and see its messages alone.",
                                list(c.allow_degree_one)));
  }
  if (!c.allow_few_columns.empty()) {
    notes.push_back(fmt::format("allow_few_columns: {} may have so few columns that others can find them out.",
                                list(c.allow_few_columns)));
  }
  if (c.allow_difference_of.empty()) return;
  for (const std::string& note : difference_notes(c, list(c.allow_difference_of)))
    notes.push_back("allow_difference_of: " + note);
}

}  // namespace

std::vector<std::string> privacy_notes(const Consortium& consortium, const protocol::Graph& graph) {
  std::vector<std::string> notes;
  const protocol::SchemeKind scheme = protocol::scheme_of(consortium.settings);
  if (protocol::sums_only(scheme)) {
    const std::uint32_t helpers = protocol::neighbours::isolation(graph, scheme).front().colluders;
    notes.push_back(fmt::format(
        "Every member learns totals over all members. To see one member's part alone, a member needs {} helper{}.",
        helpers, helpers == 1 ? "" : "s"));
  } else {
    std::map<std::pair<std::uint32_t, bool>, std::vector<std::string>> by_number;
    std::size_t member = 0;
    for (const protocol::neighbours::Isolation& agent : protocol::neighbours::isolation(graph, scheme))
      by_number[{agent.colluders, !agent.exact}].push_back(consortium.members[member++].identity.name());
    for (const auto& [number, names] : by_number) {
      notes.push_back(number.first == 0
                          ? fmt::format("Some member sees the messages of {} alone.", list(names))
                          : fmt::format("To see the messages of {} alone, a member needs {}{} helper{}.", list(names),
                                        number.second ? "at least " : "", number.first, number.first == 1 ? "" : "s"));
    }
  }
  if (const auto run = protocol::make_run_settings(consortium.settings, consortium.rows, graph); run && run->privacy) {
    notes.emplace_back(
        "This run is private: everything that is opened carries noise, and whoever sees it, a member that runs another "
        "program included, learns about one column no more than the following says. Such a member can spoil the "
        "result.");
    notes.push_back(protocol::way_note(*run, graph.agents()));
    for (std::string& note : protocol::account_notes(*run->privacy)) notes.push_back(std::move(note));
    notes.push_back(fmt::format("Every member debits rho = {:.4g} to the budget of its data before its first message.",
                                run->privacy->cost().rho));
  }
  if (const auto run = protocol::make_run_settings(consortium.settings, consortium.rows, graph)) {
    for (std::string& note : protocol::loss_notes(*run)) notes.push_back(std::move(note));
    for (std::string& note : protocol::search_notes(*run)) notes.push_back(std::move(note));
  }
  if (!consortium.throw_away_seed) {
    for (std::string& note : protocol::trust_notes(consortium.settings)) notes.push_back(std::move(note));
  }
  if (consortium.throw_away_seed)
    notes.emplace_back("Every secret of this run follows from a seed in the file: it protects nothing.");
  note_allowed(consortium, notes);
  return notes;
}

}  // namespace ppdnmf::consortium
