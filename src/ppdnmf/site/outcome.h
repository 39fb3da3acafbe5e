// What one agent of a real run leaves in its folder: X.npy, Y.npy (its own columns), V.npy (its own part, if it has
// one), X.csv and Y.csv where there are names, Y_low and Y_high where there are intervals, and its own record
// (history.csv, run.json, report.html), for its owner alone; and in `share` the same record without any number that
// only this agent knows, with X, for whoever it is handed to.
#ifndef PPDNMF_SITE_OUTCOME_H_
#define PPDNMF_SITE_OUTCOME_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/io/table.h>
#include <ppdnmf/protocol/run_settings.h>
#include <ppdnmf/report/reference.h>
#include <ppdnmf/report/run_record.h>

namespace ppdnmf::site {

struct AgentOutcome {
  struct Iteration {  // of each Report; after closing, the last one's errors are replaced
    std::int64_t iteration = 0;
    std::int64_t rounds = 0;
    double error = report::kNotMeasured;   // on this agent's own columns
    double common = report::kNotMeasured;  // on everybody's
    double loss = report::kNotMeasured;    // of everybody's data, divided by settings.data_scale
    double seconds = 0;                    // since the start of the run, as far as this agent was awake
    std::uint64_t bytes = 0;               // sent by this agent
  };

  std::string version;
  AgentId self;
  std::vector<std::string> members;                            // names; an agent's id is its place
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // as Graph::edges gives them
  protocol::RunSettings settings;                              // as the opening left them
  Digest consortium{}, run{};
  std::optional<std::uint64_t> throw_away_seed;

  std::vector<Index> dropped;  // rows, for all
  Matrix X, Y;                 // Y: this agent's own columns, in units of its data
  Matrix V;                    // what they have beside X, in runs with `site_effects`
  std::vector<std::string> row_names, column_names;
  report::Pictures pictures;                        // what the report draws X as, and matches it with
  nmf::Intervals intervals;                         // of Y, if they are wanted
  std::optional<report::ExposureRecord> exposures;  // of this agent's own columns

  std::optional<report::RankRecord> search;  // where the number of components was looked for

  std::vector<Iteration> history;
  std::string because;  // as Finish says
  double seconds = 0;
  double seconds_crypto = report::kNotMeasured;
  std::uint64_t restarts = 0;
  std::vector<report::PeerRecord> peers;  // the neighbours: traffic and outages (io/run_record.h)
  std::vector<std::string> warnings;      // sentences
  bool persons = false;                   // private runs: whose each column is was said
};

// Fails with kFile if the folder holds results and `force` is not set. To be asked before a run; a run's own restart
// does not ask.
[[nodiscard]] Status check_no_results(const std::filesystem::path& folder, bool force);

// The record that run.json, history.csv and the report are made of. What an agent cannot know stays unmeasured: the
// NMSE and the worst agent's error need everybody's parts, and disagreement is known only where all end with one X.
[[nodiscard]] report::RunRecord record_of(const AgentOutcome& outcome);

// The folder in an agent's folder whose files every member may see.
inline constexpr const char* kShared = "share";

// Writes everything into the folder, which must be there; run.json comes last and says that the rest is complete.
// Returns notes (a missing gnuplot). Fails with kFile; then it may be repeated.
[[nodiscard]] Result<std::vector<std::string>> write_outcome(const std::filesystem::path& folder,
                                                             const AgentOutcome& outcome);

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_OUTCOME_H_
