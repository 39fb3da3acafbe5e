#include "apps/ppdnmf/run_demo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string>

#include "version.h"
#include <ppdnmf/experiment/hospitals_page.h>
#include <ppdnmf/host/thread_pool.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/nmf/lanes.h>
#include <ppdnmf/run/outputs.h>
#include <ppdnmf/run/stopwatch.h>

namespace ppdnmf::app {
namespace {

using experiment::Findings;
using experiment::HospitalsOutcome;

nlohmann::ordered_json findings_json(const std::string& who, const Findings& findings) {
  return {{"who", who},
          {"found", findings.found()},
          {"mean_cosine", findings.mean_cosine()},
          {"cosines", findings.cosines}};
}

std::string outcome_json(const HospitalsOutcome& outcome) {
  nlohmann::ordered_json out;
  out["version"] = kVersion;
  out["seed"] = outcome.seed;
  out["signatures"] = experiment::kSignatures;
  out["found_from_cosine"] = experiment::kFound;
  out["epsilon"] = experiment::kDemoEpsilon;
  out["delta"] = experiment::kDemoDelta;
  for (Index hospital = 0; hospital < experiment::kHospitals; ++hospital) {
    out["findings"].push_back(findings_json(experiment::hospital_name(hospital) + " alone",
                                            outcome.alone[static_cast<std::size_t>(hospital)]));
  }
  out["findings"].push_back(findings_json("together", outcome.together));
  out["findings"].push_back(findings_json("pooled", outcome.pooled));
  out["findings"].push_back(findings_json("private", outcome.privately));
  out["together_and_pooled"] = outcome.agreement;
  out["masked_sums"] = outcome.sums;
  out["bytes_sent"] = outcome.bytes;
  out["right_guesses_at_most"] = outcome.right_guesses;
  out["sentences"] = experiment::hospital_sentences(outcome);
  return out.dump(2) + "\n";
}

void print_outcome(const std::filesystem::path& folder, const HospitalsOutcome& outcome, double seconds) {
  fmt::print("Three made-up hospitals with {} tumours each look for the {} signatures in their mutations.\n\n",
             experiment::kTumours, experiment::kSignatures);
  for (const std::string& sentence : experiment::hospital_sentences(outcome)) fmt::print("- {}\n", sentence);
  fmt::print("\n  {:<8} {}\n  {:<8} {}\n  {:<8} {:.1f} s\n", "report", (folder / "report.html").string(), "picture",
             (folder / "demo.png").string(), "time", seconds);
  fmt::print("\nNow you:\n");
  for (const experiment::NextStep& step : experiment::next_steps(folder))
    fmt::print("\n{}\n{}\n", step.why, fmt::join(step.lines, "\n"));
}

}  // namespace

Status run_demo(const DemoOptions& options) {
  const std::filesystem::path& folder = options.output.out;
  PPDNMF_TRY_STATUS(nmf::choose_lanes(nmf::Lanes::kAutomatic).map([](nmf::Lanes) {}));
  PPDNMF_TRY(const run::OutputFolder prepared, run::OutputFolder::prepare(folder, options.output.force, false));
  const run::Stopwatch watch;
  host::ThreadPool pool(host::threads_or_all(options.threads));
  const experiment::HospitalData data = experiment::make_hospital_data(options.seed);
  PPDNMF_TRY(const HospitalsOutcome outcome, experiment::run_hospitals(data, options.seed, pool));
  PPDNMF_TRY(const std::vector<std::string> notes, experiment::write_hospitals(folder, data, outcome, kVersion));
  const std::string json = outcome_json(outcome);
  PPDNMF_TRY_STATUS(io::write_file(folder / "demo.json", json));
  if (!options.output.quiet)
    for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
  if (options.output.json) {
    fmt::print("{}", json);
  } else if (!options.output.quiet) {
    print_outcome(folder, outcome, watch.seconds());
  }
  return {};
}

}  // namespace ppdnmf::app
