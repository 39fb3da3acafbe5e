#include <ppdnmf/audit/judge.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include <ppdnmf/audit/expectations.h>
#include <ppdnmf/privacy/meaning.h>
#include <ppdnmf/privacy/plan.h>
#include <ppdnmf/protocol/column_minimum.h>
#include <ppdnmf/protocol/neighbours/isolation.h>
#include <ppdnmf/protocol/sum_masks.h>

namespace ppdnmf::audit {
namespace {

std::string scheme_text(protocol::SchemeKind scheme) {
  return scheme == protocol::SchemeKind::kSum        ? "sum"
         : scheme == protocol::SchemeKind::kHardened ? "hardened"
                                                     : "as printed";
}

// "a, b and 3 more"
std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(names.size(), kShown);
  const std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "), more);
}

template <typename Which>
std::vector<std::string> names_where(const std::vector<AgentJudgement>& agents, Which which) {
  std::vector<std::string> names;
  for (const AgentJudgement& agent : agents) {
    if (which(agent)) names.push_back(agent.name);
  }
  return names;
}

std::vector<std::string> advice_on(const PlannedRun& run, const std::vector<AgentJudgement>& agents,
                                   const protocol::ColumnMinimum& minimum) {
  std::vector<std::string> advice;
  if (run.scheme == protocol::SchemeKind::kAsPrinted) {
    advice.emplace_back("The scheme as printed is not private: choose `scheme=sum` or `scheme=hardened`.");
    return advice;
  }
  const auto alone = names_where(agents, [](const AgentJudgement& a) { return a.helpers == 0; });
  if (!alone.empty()) {
    advice.push_back(run.graph.agents() == 2
                         ? "With two agents a total less one's own is the other's: find a third."
                         : fmt::format("{} would be seen alone by a single agent: add an edge, or choose `scheme=sum`.",
                                       list(alone)));
  }
  const auto few = names_where(agents, [](const AgentJudgement& a) { return !a.enough; });
  if (!few.empty() && run.scheme == protocol::SchemeKind::kHardened) {
    advice.push_back(
        fmt::format("{} must bring {} columns at least, join as one agent with another, or use "
                    "`scheme=sum`.",
                    list(few), minimum.of_each));
  }
  if (!few.empty() && run.scheme == protocol::SchemeKind::kSum) {
    advice.push_back(
        fmt::format("Totals hide columns where all others together have {} at least: for {} they have "
                    "fewer. Find members with more columns, or leave out rows.",
                    minimum.of_others, list(few)));
  }
  const auto one = names_where(agents, [](const AgentJudgement& a) { return a.helpers == 1; });
  if (!one.empty() && run.scheme == protocol::SchemeKind::kHardened) {
    advice.push_back(
        fmt::format("{} falls to a single pair that works together: a denser graph, or `scheme=sum`.", list(one)));
  }
  if (run.columns.empty()) advice.emplace_back("Give `columns` to judge how many columns stand behind what is opened.");
  return advice;
}

// What the account promises; and whether its noise leaves anything, where the number of columns is known.
Status judge_budget(const PlannedRun& run, Index total, Judgement& out) {
  const double columns = total > 0 ? static_cast<double>(total) : 1;
  PPDNMF_TRY_STATUS(privacy::check_budget(*run.budget, columns));
  if (run.scheme != protocol::SchemeKind::kSum) {
    return error(ErrorCode::kUsage, "`epsilon` needs `scheme=sum`: no other scheme can add up the noise");
  }
  const double rho = privacy::rho_for(*run.budget, 0);  // a run spends this or a little less
  out.bound = privacy::largest_auc(rho);
  out.promise = privacy::meaning_of(rho);
  if (total == 0) return {};
  for (AgentJudgement& agent : out.agents) {
    agent.membership = fmt::format("AUC {:.3f} at most", std::ceil(1000 * *out.bound) / 1000);
  }
  const std::uint32_t agents = run.graph.agents();
  const auto plan = privacy::plan_noise({*run.budget, run.rows, run.rank, privacy::kPrivateRounds, agents,
                                         std::max(1U, agents - 1), columns, protocol::kRingPartners});
  if (plan) return {};
  out.advice.push_back(plan.error().message + ".");
  out.accepted = false;
  return {};
}

}  // namespace

Result<Judgement> judge(const PlannedRun& run) {
  const std::uint32_t agents = run.graph.agents();
  if (!run.columns.empty() && run.columns.size() != agents) {
    return error(ErrorCode::kUsage, "`columns` has {} numbers, but there are {} agents: give one for each",
                 run.columns.size(), agents);
  }
  if (std::any_of(run.columns.begin(), run.columns.end(), [](Index count) { return count < 1; })) {
    return error(ErrorCode::kUsage, "`columns` has a number below 1: every agent has at least one column");
  }
  const std::vector<protocol::neighbours::Isolation> alone = protocol::neighbours::isolation(run.graph, run.scheme);
  const protocol::ColumnMinimum minimum = protocol::column_minimum(run.scheme, run.rows, run.rank);
  const Index total = std::accumulate(run.columns.begin(), run.columns.end(), Index{0});
  Judgement out;
  for (std::uint32_t i = 0; i < agents; ++i) {
    AgentJudgement& agent = out.agents.emplace_back();
    agent.name = run.names.empty() ? fmt::format("{}", i) : run.names[i];
    if (!alone.empty()) {
      agent.helpers = alone[i].colluders;
      agent.exact = alone[i].exact;
    }
    if (run.columns.empty()) continue;
    agent.columns = run.columns[i];
    agent.others = total - agent.columns;
    agent.enough = protocol::check_columns(minimum, agent.columns, total).has_value();
    agent.reconstruction = expected_reconstruction(run.scheme, agent.columns, agent.others);
    Index behind = agent.others;
    if (run.scheme == protocol::SchemeKind::kHardened) {
      // What a neighbour sees of this agent is a sum over that neighbour's neighbourhood: the smallest of them.
      for (const AgentId j : run.graph.neighbours(AgentId{i})) {
        Index there = 0;
        for (const AgentId k : run.graph.neighbours(j)) there += run.columns[k.value];
        behind = std::min(behind, there);
      }
    }
    agent.membership = expected_membership(run.scheme, behind);
  }
  out.advice = advice_on(run, out.agents, minimum);
  out.accepted = run.scheme != protocol::SchemeKind::kAsPrinted &&
                 std::all_of(out.agents.begin(), out.agents.end(),
                             [](const AgentJudgement& a) { return a.enough && a.helpers > 0; });
  if (run.budget) PPDNMF_TRY_STATUS(judge_budget(run, total, out));
  return out;
}

std::string judgement_text(const PlannedRun& run, const Judgement& judgement) {
  std::size_t width = 5;
  std::size_t reconstruction = 14;
  for (const AgentJudgement& agent : judgement.agents) {
    width = std::max(width, agent.name.size());
    reconstruction = std::max(reconstruction, agent.reconstruction.size());
  }
  std::string out = fmt::format("{} agents, scheme {}, {} rows, rank {}\n\n", run.graph.agents(),
                                scheme_text(run.scheme), run.rows, run.rank);
  const bool known = !run.columns.empty();
  out += fmt::format("{:{}}  helpers to see it alone  columns  {}\n", "agent", width,
                     known ? fmt::format("{:{}}  {}", "reconstruction", reconstruction, "membership") : "");
  for (const AgentJudgement& agent : judgement.agents) {
    out += fmt::format("{:{}}  {:>23}  {:>7}  {}\n", agent.name, width,
                       fmt::format("{}{}", agent.exact ? "" : "at least ", agent.helpers),
                       known ? fmt::format("{}{}", agent.columns, agent.enough ? "" : " !") : "?",
                       known ? fmt::format("{:{}}  {}", agent.reconstruction, reconstruction, agent.membership) : "");
  }
  out += "\n";
  if (!judgement.promise.empty()) out += fmt::format("Private: {}\n", judgement.promise);
  for (const std::string& sentence : judgement.advice) out += sentence + "\n";
  out += judgement.accepted ? "A real run would accept this.\n" : "A real run would refuse this.\n";
  return out;
}

std::string judgement_json(const PlannedRun& run, const Judgement& judgement) {
  using Json = nlohmann::ordered_json;
  Json agents = Json::array();
  for (const AgentJudgement& agent : judgement.agents) {
    agents.push_back({{"name", agent.name},
                      {"helpers", agent.helpers},
                      {"helpers_exact", agent.exact},
                      {"columns", run.columns.empty() ? Json(nullptr) : Json(agent.columns)},
                      {"enough_columns", agent.enough},
                      {"expected_reconstruction", agent.reconstruction},
                      {"expected_membership", agent.membership}});
  }
  const Json out = {{"scheme", scheme_text(run.scheme)},
                    {"rows", run.rows},
                    {"rank", run.rank},
                    {"agents", agents},
                    {"advice", judgement.advice},
                    {"promise", judgement.promise.empty() ? Json(nullptr) : Json(judgement.promise)},
                    {"membership_bound", judgement.bound ? Json(*judgement.bound) : Json(nullptr)},
                    {"accepted", judgement.accepted}};
  return out.dump(2) + "\n";
}

}  // namespace ppdnmf::audit
