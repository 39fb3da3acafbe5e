#include "apps/ppdnmf/experiment_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "version.h"
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/report/report_words.h>

namespace ppdnmf::app {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const experiment::Band& band) { return {{"mean", band.mean}, {"p10", band.low}, {"p90", band.high}}; }

Json json_of(const experiment::VariantSummary& s) {
  Json json;
  json["name"] = experiment::variant_name(s.variant);
  if (experiment::has_resolution(s.variant)) json["n_max"] = s.variant.n_max;
  json["iterations"] = s.end.iteration;
  json["rounds"] = s.end.rounds;
  json["nmse"] = json_of(s.end.nmse);
  json["relative_error"] = json_of(s.end.relative_error);
  json["disagreement"] = json_of(s.end.disagreement);
  json["worst_agent_error"] = json_of(s.end.worst_agent_error);
  json["ratio_to_centralised"] = json_of(s.ratio);
  return json;
}

Json json_of(const experiment::JoiningOutcome& o) {
  return {{"alone", o.alone},
          {"together", o.together},
          {"centre", o.centre},
          {"held_out", o.held_out},
          {"rank_alone", o.rank_alone}};
}

std::string check_sentence(const experiment::EncryptedCheck& check) {
  return fmt::format(
      "Exactness: all runs use plain integers (--cipher none), because an encrypted run gives the same X and Y, bit "
      "for bit. Checked here on trial 1 with "
      "the product's defaults: {} rounds under {}-bit Paillier ({} profile) gave {}.",
      check.rounds, check.key_bits, check.fast_profile ? "fast" : "standard",
      check.same ? "the same bits" : "OTHER BITS, which is a defect in ppdnmf");
}

std::string joining_verdict(const std::vector<experiment::JoiningOutcome>& outcomes) {
  std::size_t gains = 0;
  std::size_t pairs = 0;
  for (const experiment::JoiningOutcome& o : outcomes) {
    gains += static_cast<std::size_t>(
        std::count_if(o.alone.begin(), o.alone.end(), [&](double alone) { return o.together < alone; }));
    pairs += o.alone.size();
  }
  return fmt::format("Joining lowered the error on held-out columns in {} of {} cases (agents times trials).", gains,
                     pairs);
}

std::string curves_csv(const std::vector<experiment::VariantSummary>& summaries) {
  std::string out = "variant,iteration,rounds";
  for (const char* measure : {"nmse", "relative_error", "disagreement", "worst_agent_error"}) {
    out += fmt::format(",{0}_mean,{0}_p10,{0}_p90", measure);
  }
  out += "\n";
  for (const experiment::VariantSummary& s : summaries) {
    for (const experiment::SummaryPoint& p : s.curve) {
      out += fmt::format("{},{},{}", experiment::variant_name(s.variant), p.iteration, p.rounds);
      for (const experiment::Band& b : {p.nmse, p.relative_error, p.disagreement, p.worst_agent_error}) {
        out += std::isnan(b.mean) ? ",,," : fmt::format(",{},{},{}", b.mean, b.low, b.high);
      }
      out += "\n";
    }
  }
  return out;
}

std::vector<experiment::VariantSummary> summarize_all(const ExperimentPlan& plan, const ExperimentResults& results) {
  std::vector<experiment::VariantSummary> summaries;
  for (std::size_t v = 0; v < plan.variants.size(); ++v) {
    summaries.push_back(experiment::summarize(plan.variants[v], results.outcomes[v], results.outcomes.front()));
  }
  return summaries;
}

experiment::ExperimentPage make_page(const ExperimentOptions& options, const ExperimentPlan& plan,
                                     const ExperimentResults& results,
                                     std::vector<experiment::VariantSummary> summaries) {
  experiment::ExperimentPage page;
  page.title = plan.title;
  page.notes = plan.notes;
  page.notes.push_back(
      fmt::format("{} trial{}; trial t has seed {} + t - 1.", plan.trials, plan.trials == 1 ? "" : "s", options.seed));
  if (results.check) page.notes.push_back(check_sentence(*results.check));
  if (!summaries.empty()) {
    page.lead = experiment::curve_verdict(summaries);
    page.exhibits = experiment::curve_exhibits(summaries);
  }
  const experiment::TrialProblem problem = plan.problem(0);
  if (plan.image) {
    std::vector<experiment::Portrait> portraits;
    for (std::size_t v = 0; v < plan.variants.size(); ++v)
      portraits.push_back({plan.variants[v], results.outcomes[v].front()});
    for (experiment::Exhibit& e : experiment::picture_exhibits(problem.Z, *plan.image, portraits))
      page.exhibits.push_back(std::move(e));
  }
  if (!results.joining.empty()) {
    page.lead += (page.lead.empty() ? "" : " ") + joining_verdict(results.joining);
    page.exhibits.push_back(experiment::joining_exhibit(results.joining, problem.rank, plan.columns_are));
  }
  if (plan.stand_in) page.lead = "Images made by the program, not the paper's faces. " + page.lead;
  page.warn = plan.stand_in;
  page.summaries = std::move(summaries);
  page.footer = fmt::format("ppdnmf {} experiment {}, seed {}", kVersion, plan.name, options.seed);
  return page;
}

Json record_of(const ExperimentOptions& options, const ExperimentPlan& plan, const ExperimentResults& results,
               const experiment::ExperimentPage& page) {
  Json json;
  json["command"] = "experiment " + plan.name;
  json["version"] = kVersion;
  json["seed"] = options.seed;
  json["trials"] = plan.trials;
  json["quick"] = options.quick;
  json["stand_in_data"] = plan.stand_in;
  json["verdict"] = page.lead;
  json["notes"] = page.notes;
  if (results.check) {
    json["encrypted_check"] = {
        {"same_bits", results.check->same}, {"rounds", results.check->rounds}, {"key_bits", results.check->key_bits}};
  }
  for (const experiment::VariantSummary& s : page.summaries) json["variants"].push_back(json_of(s));
  for (const experiment::JoiningOutcome& o : results.joining) json["joining"].push_back(json_of(o));
  json["seconds"] = results.seconds;
  return json;
}

}  // namespace

Status write_experiment(const ExperimentOptions& options, const ExperimentPlan& plan,
                        const ExperimentResults& results) {
  const std::filesystem::path& out = options.output.out;
  std::error_code ignored;
  std::filesystem::remove(out / "experiment.json",
                          ignored);  // of an earlier run: its presence says that the rest is there
  experiment::ExperimentPage page = make_page(options, plan, results, summarize_all(plan, results));
  if (!page.summaries.empty()) {
    PPDNMF_TRY_STATUS(io::write_file(out / "summary.csv",
                                     experiment::summary_csv(page.summaries, static_cast<std::size_t>(plan.trials))));
    PPDNMF_TRY_STATUS(io::write_file(out / "curves.csv", curves_csv(page.summaries)));
  }
  PPDNMF_TRY(const std::vector<std::string> notes, experiment::write_page(out, page));
  page.notes.insert(page.notes.end(), notes.begin(), notes.end());
  const std::string text = record_of(options, plan, results, page).dump(2) + "\n";
  PPDNMF_TRY_STATUS(io::write_file(out / "experiment.json", text));
  if (options.output.quiet) return {};
  if (options.output.json) {
    fmt::print("{}", text);
    return {};
  }
  for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
  fmt::print("{}\n\n", page.lead);
  if (!page.summaries.empty()) {
    fmt::print("  {:<32} {:>9} {:>8} {:>13} {:>12} {:>17}\n", "", "rounds", "NMSE", "disagreement", "on all data",
               "over centralised");
    for (const experiment::VariantSummary& s : page.summaries) {
      fmt::print("  {:<32} {:>9.0f} {:>8.4f} {:>13.2e} {:>12.4f} {:>17.4f}\n", experiment::variant_label(s.variant),
                 s.end.rounds, s.end.nmse.mean, s.end.disagreement.mean, s.end.worst_agent_error.mean, s.ratio.mean);
    }
    fmt::print("\n");
  }
  fmt::print("  {}\n", (out / "experiment.html").string());
  return {};
}

}  // namespace ppdnmf::app
