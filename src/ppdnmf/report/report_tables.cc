#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ppdnmf/report/html.h>
#include <ppdnmf/report/report_parts.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::report {

bool is_normalised(const RunRecord& record) {
  return std::any_of(record.parameters.begin(), record.parameters.end(),
                     [](const auto& parameter) { return parameter.first == "normalise"; });
}

bool minimises_divergence(const RunRecord& record) {
  return std::any_of(record.parameters.begin(), record.parameters.end(),
                     [](const auto& parameter) { return parameter.first == "loss" && parameter.second == "poisson"; });
}

Section summary_section(const RunRecord& record) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const char* name, std::string value, const char* meaning) {
    rows.push_back({name, "<b>" + std::move(value) + "</b>", meaning});
  };
  const bool many = record.agents > 1;
  const bool shared = record.own && !record.own->numbers;  // for others: without what is this agent's alone
  const bool unknown = record.own && std::isnan(record.relative_error);
  add("Relative error", short_number(record.relative_error),
      unknown                         ? "of everybody's data: not known to anybody"
      : record.own                    ? "of everybody's data, as all members know it"
      : many && is_normalised(record) ? "over all agents, each with its own factor on its own normalised columns"
      : many                          ? "over all agents, each with its own factor on its own data"
                                      : "‖Z − XY‖ / ‖Z‖");
  if (minimises_divergence(record) && std::isfinite(record.loss))
    add("Divergence", fmt::format("{:.6g}", record.loss),
        "Kullback-Leibler, with penalties if there are any: what was minimised");
  if (record.own) {
    if (const auto& own = record.own->numbers) {
      add("Own error", short_number(own->error), "of this member's own data");
      add("Own columns", grouped(own->columns), "known to this member alone");
    }
  } else if (many) {
    add("Worst agent's error", short_number(record.worst_agent_error),
        is_normalised(record) ? "of the agent whose factor explains everybody's data, as they are, worst"
                              : "of the agent whose factor explains everybody's data worst");
    add("Disagreement", percent(record.disagreement), "the largest distance of an agent's factor from the mean");
  }
  if (!record.own)
    add("NMSE", short_number(record.nmse), "the paper's measure: the mean of the agents' own relative errors");
  const std::string& reason = record.stopped_because;
  rows.push_back({"Iterations", "<b>" + grouped(record.iterations) + "</b>",
                  reason.empty() ? "" : "stopped: " + escape_html(reason)});
  const bool sums = std::any_of(record.parameters.begin(), record.parameters.end(), [](const auto& parameter) {
    return parameter.first == "scheme" && (parameter.second == "sum" || parameter.second == "moments");
  });
  if (many) {
    add("Rounds", grouped(record.rounds),
        sums ? "sums over all agents" : "in each, every agent heard from its neighbours");
    if (!shared) add("Sent", byte_size(record.bytes_sent), record.own ? "by this agent" : "by all agents together");
  }
  std::string time;
  if (record.seconds_crypto > 0) {
    time = fmt::format("{} {}, numerics {}", sums ? "masks" : "encryption", duration(record.seconds_crypto),
                       duration(record.seconds_numerics));
  }
  if (!shared) rows.push_back({"Time", "<b>" + duration(record.seconds_total) + "</b>", time});
  if (record.own) {
    if (!shared) add("Restarts", grouped(static_cast<std::int64_t>(record.own->restarts)), "of this agent's process");
    rows.push_back({"Consortium", record.own->digits, "the digits that the members compared"});
  }
  if (!record.own || record.own->throw_away)
    rows.push_back({"Seed", fmt::format("{}", record.seed), "the same seed gives the same result"});
  return {"Summary", html_table("summary", {}, rows), {}};
}

Section agents_section(const RunRecord& record) {
  Section section{"Agents", "", {}};
  const std::size_t count = std::max(record.columns_per_agent.size(), record.agent_errors.size());
  if (record.agents <= 1 || count == 0) return section;
  constexpr std::size_t kShown = 200;
  const auto cell = [](const auto& values, std::size_t i, auto&& text) {
    return i < values.size() ? text(values[i]) : std::string("–");
  };
  const auto& unsure = record.colluders_at_least;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(count, kShown); ++i) {
    const bool at_least = std::binary_search(unsure.begin(), unsure.end(), i);
    rows.push_back({fmt::format("{}", i), cell(record.columns_per_agent, i, grouped),
                    cell(record.agent_errors, i, short_number),
                    (at_least ? "at least " : "") + cell(record.colluders_to_isolate, i, grouped)});
  }
  section.html = html_table("numbers", {"Agent", "Columns", "Relative error", "Colluders"}, rows);
  section.html +=
      "<p>Colluders: how many others must work with a curious agent before they see this agent's messages "
      "alone.</p>\n";
  if (count > kShown) section.html += fmt::format("<p>The first {} of {} agents are listed.</p>\n", kShown, count);
  return section;
}

Section exposures_section(const RunRecord& record) {
  Section section{"Exposures", "", {}};
  if (!record.exposures) return section;
  const ExposureRecord& exposures = *record.exposures;
  const auto row = [](const char* name, const nmf::ExposureMeasures& measures) {
    return std::vector<std::string>{name, short_number(measures.active_median), short_number(measures.active_mean),
                                    short_number(measures.cosine_median), short_number(measures.cosine_low)};
  };
  std::vector<std::vector<std::string>> rows;
  if (exposures.before) rows.push_back(row("before pruning", *exposures.before));
  rows.push_back(row(exposures.before ? "after pruning" : "of Y", exposures.now));
  section.html =
      html_table("numbers", {"", "Active, median", "Active, mean", "Cosine, median", "Cosine, 5th percentile"}, rows);
  section.html +=
      "<p>Active: components with more than 1 % of a column's sum. Cosine: between a column of the data and what X and "
      "Y make of it.</p>\n";
  if (exposures.prune > 0) {
    section.html += fmt::format(
        "<p>Components of a column were dropped one after the other as long as each raised the column's loss by at "
        "most "
        "{}.</p>\n",
        percent(exposures.prune));
  }
  if (exposures.intervals > 0) {
    section.html += fmt::format(
        "<p>Y_low and Y_high hold 95 % intervals of every number of Y, from {} draws of each column, X as it is.</p>\n",
        exposures.intervals);
  }
  return section;
}

Section parameters_section(const RunRecord& record) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, text] : record.parameters) rows.push_back({escape_html(name), escape_html(text)});
  return {"Parameters", rows.empty() ? "" : html_table("parameters", {}, rows), {}};
}

}  // namespace ppdnmf::report
