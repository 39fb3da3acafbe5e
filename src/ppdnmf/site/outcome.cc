#include <ppdnmf/site/outcome.h>

#include <fmt/format.h>

#include <cmath>

#include <ppdnmf/base/encoding.h>
#include <ppdnmf/io/npy.h>
#include <ppdnmf/nmf/measures.h>
#include <ppdnmf/protocol/own_columns.h>
#include <ppdnmf/protocol/privacy_account.h>
#include <ppdnmf/protocol/trust.h>
#include <ppdnmf/report/report.h>
#include <ppdnmf/report/result_files.h>

namespace ppdnmf::site {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "auto"; }

// Whether all agents end with one X: in a sum always, between neighbours if the run was closed.
bool has_common_factor(const protocol::RunSettings& s) {
  return protocol::sums_only(s.scheme) ||
         (s.scheme == protocol::SchemeKind::kHardened && s.updates == nmf::Updates::kCorrected && s.closing);
}

Parameters parameters_of(const AgentOutcome& outcome) {
  const protocol::RunSettings& s = outcome.settings;
  Parameters out = {{"rows", fmt::format("{}", s.rows)},
                    {"agents", fmt::format("{}", outcome.members.size())},
                    {"diameter", fmt::format("{}", s.diameter)}};
  for (auto& parameter : protocol::run_parameters(s)) out.push_back(std::move(parameter));
  out.emplace_back("data_scale", text_of(s.data_scale));
  if (!outcome.dropped.empty())
    out.emplace_back("dropped_rows", protocol::dropped_list(outcome.dropped, outcome.row_names));
  return out;
}

// `persons`: whether to say that this agent named persons, which the others need not have done, nor know of.
std::vector<std::string> notes_of(const AgentOutcome& outcome, bool persons) {
  const bool common = has_common_factor(outcome.settings);
  std::vector<std::string> notes;
  if (outcome.throw_away_seed) {
    notes.emplace_back("Every secret of this run followed from a seed in its consortium file: it protected nothing.");
  }
  if (!common) {
    notes.emplace_back(
        "The scheme and the updates as printed leave every agent with an X of its own; how far they are apart an "
        "agent cannot know.");
  }
  if (outcome.settings.privacy) {
    notes.push_back(protocol::way_note(outcome.settings, static_cast<std::uint32_t>(outcome.members.size())));
    for (std::string& note : protocol::account_notes(*outcome.settings.privacy, persons))
      notes.push_back(std::move(note));
    notes.emplace_back(
        "An agent of a private run knows the error on its own columns, each divided by its length, and nothing of the "
        "others': the common error, the paper's NMSE and the worst agent's error are not measured here. Y.npy is this "
        "agent's own and carries no noise: whoever publishes it publishes its columns' coordinates.");
    return notes;
  }
  if (!outcome.throw_away_seed) {
    for (std::string& note : protocol::trust_notes(outcome.settings.said)) notes.push_back(std::move(note));
  }
  if (!outcome.dropped.empty()) notes.push_back(protocol::dropped_note(outcome.dropped, outcome.row_names));
  notes.emplace_back(
      "An agent knows its own error and the common one. The paper's NMSE, the worst agent's error and, during the run, "
      "the disagreement need what others keep to themselves: they are not measured here.");
  for (std::string& note : protocol::loss_notes(outcome.settings)) notes.push_back(std::move(note));
  for (std::string& note : protocol::search_notes(outcome.settings)) notes.push_back(std::move(note));
  return notes;
}

// run.json comes last. Returns notes about the report.
Result<std::vector<std::string>> write_record(const std::filesystem::path& folder, const AgentOutcome& outcome,
                                              report::RunRecord record, unsigned mode) {
  report::ReportOptions options;
  options.row_names = outcome.row_names;
  options.mode = mode;
  const bool own = record.own && record.own->numbers;
  // The catalogue is this agent's file: what is handed on has the pictures without it.
  report::apply_pictures(own ? outcome.pictures : report::Pictures{outcome.pictures.show, outcome.pictures.image, {}},
                         outcome.X, record, options);
  PPDNMF_TRY(std::vector<std::string> notes, report::write_report(folder, record, outcome.X, options));
  record.notes.insert(record.notes.end(), notes.begin(), notes.end());
  PPDNMF_TRY_STATUS(report::write_history_csv(folder / "history.csv", record, mode));
  PPDNMF_TRY_STATUS(report::write_run_json(folder / "run.json", record, mode));
  return notes;
}

Status write_shared(const std::filesystem::path& folder, const AgentOutcome& outcome, report::RunRecord record) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return error(ErrorCode::kFile, "{}: cannot be created: {}", folder.string(), failure.message());
  record.notes = notes_of(outcome, false);
  record.notes.emplace_back("This record is for all members: what its agent alone knows is left out.");
  PPDNMF_TRY_STATUS(io::write_npy(folder / "X.npy", outcome.X));
  if (outcome.search) PPDNMF_TRY_STATUS(report::write_candidates(folder, *outcome.search));
  PPDNMF_TRY_STATUS(report::write_named_factors(folder, outcome.X, outcome.Y, outcome.row_names, {}, io::kModePublic,
                                                record.components));
  return write_record(folder, outcome, std::move(record), io::kModePublic).map([](const auto&) {});
}

}  // namespace

Status check_no_results(const std::filesystem::path& folder, bool force) {
  const auto earlier = force ? std::nullopt : report::earlier_result(folder);
  if (!earlier) return {};
  return error(ErrorCode::kFile, "{}: holds earlier results ({}); choose another `out` or add `force`", folder.string(),
               *earlier);
}

report::RunRecord record_of(const AgentOutcome& outcome) {
  const bool common = has_common_factor(outcome.settings);
  const bool sum = protocol::sums_only(outcome.settings.scheme);
  report::RunRecord record;
  record.command = "agent";
  record.title = "agent " + outcome.members.at(outcome.self.value);
  record.version = outcome.version;
  record.seed = outcome.throw_away_seed.value_or(0);
  record.parameters = parameters_of(outcome);
  if (outcome.settings.known)
    record.components = report::component_names(outcome.settings.rank, outcome.settings.known->names);
  record.notes = notes_of(outcome, outcome.persons);
  record.search = outcome.search;
  record.agents = static_cast<int>(outcome.members.size());
  for (const auto& [a, b] : outcome.edges) record.edges.emplace_back(a, b);
  record.stopped_because = outcome.because;
  record.seconds_total = outcome.seconds;
  record.seconds_crypto = outcome.seconds_crypto;
  record.seconds_numerics = outcome.seconds - outcome.seconds_crypto;
  const double scale = outcome.settings.data_scale.value_or(1);
  for (const AgentOutcome::Iteration& one : outcome.history) {
    record.history.push_back({static_cast<int>(one.iteration), one.rounds, report::kNotMeasured, one.common,
                              nmf::scaled_loss(outcome.settings.loss, one.loss, scale), sum ? 0 : report::kNotMeasured,
                              one.seconds, one.bytes, one.error});
  }
  report::OwnView own;
  own.agent = static_cast<int>(outcome.self.value);
  own.members = outcome.members;
  own.common_factor = common;
  own.throw_away = outcome.throw_away_seed.has_value();
  own.consortium = hex(outcome.consortium);
  own.digits = spoken(outcome.consortium);
  own.run = hex(outcome.run);
  own.restarts = outcome.restarts;
  own.peers = outcome.peers;
  own.numbers = report::OwnNumbers{outcome.Y.cols(), report::kNotMeasured, outcome.warnings};
  record.exposures = outcome.exposures;
  if (outcome.exposures && outcome.exposures->prune > 0) own.numbers->notes.push_back(report::pruning_note());
  if (common) record.disagreement = 0;
  if (!outcome.history.empty()) {
    const AgentOutcome::Iteration& last = outcome.history.back();
    own.numbers->error = last.error;
    record.relative_error = record.common_error = last.common;
    record.loss = record.history.back().loss;
    record.iterations = static_cast<int>(last.iteration);
    record.rounds = last.rounds;
  }
  for (const report::PeerRecord& peer : outcome.peers) record.bytes_sent += peer.bytes_out;
  record.own = std::move(own);
  return record;
}

Result<std::vector<std::string>> write_outcome(const std::filesystem::path& folder, const AgentOutcome& outcome) {
  PPDNMF_TRY_STATUS(report::write_factors(folder, outcome.X, outcome.Y, io::kModeSecret, outcome.V));
  PPDNMF_TRY_STATUS(report::write_intervals(folder, outcome.intervals, outcome.column_names, io::kModeSecret));
  if (outcome.search) PPDNMF_TRY_STATUS(report::write_candidates(folder, *outcome.search));
  const report::RunRecord record = record_of(outcome);
  PPDNMF_TRY_STATUS(report::write_named_factors(folder, outcome.X, outcome.Y, outcome.row_names, outcome.column_names,
                                                io::kModeSecret, record.components));
  PPDNMF_TRY_STATUS(write_shared(folder / kShared, outcome, report::shared_record(record)));
  return write_record(folder, outcome, record, io::kModeSecret);
}

}  // namespace ppdnmf::site
