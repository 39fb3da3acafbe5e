// What a finished run has to tell, and the two files that say it to machines: run.json and history.csv.
#ifndef PPDNMF_REPORT_RUN_RECORD_H_
#define PPDNMF_REPORT_RUN_RECORD_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/data/matrix.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/nmf/exposures.h>
#include <ppdnmf/report/rank_record.h>

namespace ppdnmf::report {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// The state after one iteration; rounds, seconds and bytes count from the start of the run.
struct HistoryRow {
  int iteration = 0;
  std::int64_t rounds = 0;
  double nmse = kNotMeasured;
  double relative_error = kNotMeasured;
  double loss = kNotMeasured;
  double disagreement = kNotMeasured;
  double seconds = 0;
  std::uint64_t bytes = 0;
  double own_error = kNotMeasured;  // of the agent whose view this is
};

// What one agent of a real run had to do with a neighbour.
struct PeerRecord {
  struct Outage {
    std::chrono::sys_seconds from;
    std::optional<std::chrono::sys_seconds> to;  // nothing: until the end
  };
  std::string name;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t connections = 0;
  std::vector<Outage> outages;
};

// What one agent alone knows, and no message of its run gives away: for its own record, never for one that it hands on.
struct OwnNumbers {
  Index columns = 0;
  double error = kNotMeasured;     // on its own columns
  std::vector<std::string> notes;  // about its own data, or what it found with them
};

// A run as one of its agents saw it.
struct OwnView {
  int agent = 0;                      // its place
  std::vector<std::string> members;   // everybody's names
  std::optional<OwnNumbers> numbers;  // nothing: the record is one to share
  bool common_factor = true;          // all members end with the same X
  bool throw_away = false;            // every secret followed from the seed; else there is no seed
  std::string consortium;             // digest, hexadecimal
  std::string digits;                 // of it, as people compare them
  std::string run;                    // digest, hexadecimal
  std::uint64_t restarts = 0;
  std::vector<PeerRecord> peers;
};

// A found component beside the one of a catalogue that it was matched with.
struct ComponentMatch {
  std::string name;              // the catalogue's; empty: more were found than the catalogue has
  double cosine = kNotMeasured;  // between the two
};

// How many components a column needs, and how well they make it up again.
struct ExposureRecord {
  nmf::ExposureMeasures now;                    // of the Y that is written
  std::optional<nmf::ExposureMeasures> before;  // of Y before components that do not pay were dropped
  double prune = 0;   // at most this part more loss for a dropped component; 0: none were dropped
  int intervals = 0;  // draws behind Y_low and Y_high; 0: there are none
};

// What was worked out for the columns of all holders of a record.
[[nodiscard]] ExposureRecord exposure_record(const nmf::ExposureOptions& options, const nmf::ColumnFits& before,
                                             const nmf::ColumnFits& now);
// What a record with pruned exposures says beside its errors.
[[nodiscard]] std::string pruning_note();

// A measure that was not taken is NaN: null in run.json, "nan" in history.csv.
struct RunRecord {
  std::string command;  // simulate, factorize, ...
  std::string title;
  std::string version;
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> parameters;  // name, text; in the order to be shown
  double relative_error = kNotMeasured;                         // ||Z - [X_i Y_i]|| / ||Z||
  double loss = kNotMeasured;                                   // what was minimised, in units of the data
  double common_error = kNotMeasured;                           // the same as the agents see it, from a sum over all
  double nmse = kNotMeasured;                                   // the paper's
  double disagreement = kNotMeasured;                           // max_i ||X_i - mean|| / ||mean||
  double worst_agent_error = kNotMeasured;                      // the largest ||Z - X_i Y|| / ||Z||, Y the best for X_i
  int iterations = 0;
  std::int64_t rounds = 0;
  std::uint64_t bytes_sent = 0;
  double seconds_total = 0;
  double seconds_crypto = 0;
  double seconds_numerics = 0;
  std::string stopped_because;
  std::vector<std::string> notes;       // warnings in words
  std::vector<std::string> components;  // of X, by name, if some are known; empty: they have numbers only
  std::vector<HistoryRow> history;
  int agents = 1;
  std::vector<std::pair<int, int>> edges;  // agents from 0
  std::vector<Index> columns_per_agent;    // empty, or one for each agent
  std::vector<double> agent_errors;        // empty, or one for each agent
  // Empty, or for each agent how many others must work with a curious one to see its messages alone.
  std::vector<std::uint32_t> colluders_to_isolate;
  std::vector<std::uint32_t> colluders_at_least;  // agents, in rising order, whose number above is a lower bound
  std::optional<RankRecord> search;               // where the number of components was looked for
  std::vector<ComponentMatch> matches;            // of each component with a reference catalogue, if there is one
  std::optional<ExposureRecord> exposures;        // in an agent's own record: of its own columns
  std::optional<OwnView> own;                     // of an agent's own record; the errors above are then the common ones
};

// The record without what its agent alone knows or did: numbers of its own data, times, its neighbours. What is left is
// known to every member. Only for a record with an OwnView.
[[nodiscard]] RunRecord shared_record(RunRecord record);

// One JSON object with the fields' names as keys; the seconds are one object {total, crypto, numerics}, the parameters
// another, in which texts that are JSON numbers are numbers. An agent's record has an object "own", and no seed unless
// the run was a throw-away; rank is the parameter of that name; a search for the number of components has rank, reason,
// first_counted, last_counted, found, stability and candidates; in its own record that object has columns, own_error
// and notes, too. components, matches and exposures are there if the record has them. Bytes that are not UTF-8 are
// replaced. The history is left to history.csv. Ends with a line end.
[[nodiscard]] std::string run_json_text(const RunRecord& record);
// iteration,rounds,nmse,relative_error,loss,disagreement,seconds,bytes; an agent's own record has own_error behind
// them.
[[nodiscard]] std::string history_csv_text(const RunRecord& record);

// Fail with kFile as write_file does.
[[nodiscard]] Status write_run_json(const std::filesystem::path& path, const RunRecord& record,
                                    unsigned mode = io::kModePublic);
[[nodiscard]] Status write_history_csv(const std::filesystem::path& path, const RunRecord& record,
                                       unsigned mode = io::kModePublic);

}  // namespace ppdnmf::report

#endif  // PPDNMF_REPORT_RUN_RECORD_H_
