#include <ppdnmf/report/run_record.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/io/time_text.h>

namespace ppdnmf::report {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
bool parse_as(std::string_view text, T& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

// A text that JSON itself would read as a number becomes one: "3072", "1e-3", but not "007", "+1" or "nan".
Json json_value(const std::string& text) {
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const bool starts_as_number = !digits.empty() && digits[0] >= '0' && digits[0] <= '9' &&
                                !(digits[0] == '0' && digits.size() > 1 && digits[1] >= '0' && digits[1] <= '9');
  if (starts_as_number) {
    std::uint64_t natural = 0;
    std::int64_t integer = 0;
    double real = 0;
    if (parse_as(text, natural)) return natural;
    if (parse_as(text, integer)) return integer;
    if (parse_as(text, real) && std::isfinite(real)) return real;
  }
  return text;
}

Json peer_json(const PeerRecord& peer) {
  Json outages = Json::array();
  for (const PeerRecord::Outage& outage : peer.outages) {
    Json one = Json::object();
    one["from"] = io::iso_time(outage.from);
    one["to"] = outage.to ? Json(io::iso_time(*outage.to)) : Json(nullptr);
    outages.push_back(std::move(one));
  }
  Json json = Json::object();
  json["name"] = peer.name;
  json["bytes_in"] = peer.bytes_in;
  json["bytes_out"] = peer.bytes_out;
  json["connections"] = peer.connections;
  json["outages"] = std::move(outages);
  return json;
}

Json measures_json(const nmf::ExposureMeasures& measures) {
  Json json = Json::object();
  json["active_median"] = measures.active_median;
  json["active_mean"] = measures.active_mean;
  json["cosine_median"] = measures.cosine_median;
  json["cosine_5th_percentile"] = measures.cosine_low;
  return json;
}

Json exposures_json(const ExposureRecord& exposures) {
  Json json = measures_json(exposures.now);
  json["prune"] = exposures.prune > 0 ? Json(exposures.prune) : Json(nullptr);
  if (exposures.before) json["before_pruning"] = measures_json(*exposures.before);
  json["intervals"] = exposures.intervals;
  return json;
}

// What is known of each component, where it is.
void put_components(const RunRecord& record, Json& json) {
  if (!record.matches.empty()) {
    json["matches"] = Json::array();
    for (std::size_t k = 0; k < record.matches.size(); ++k) {
      const ComponentMatch& match = record.matches[k];
      Json one = Json::object();
      one["component"] = k + 1;
      one["name"] = match.name.empty() ? Json(nullptr) : Json(match.name);
      one["cosine"] = match.cosine;
      json["matches"].push_back(std::move(one));
    }
  }
  if (record.exposures) json["exposures"] = exposures_json(*record.exposures);
}

Json own_json(const OwnView& own) {
  Json json = Json::object();
  json["agent"] = own.agent;
  json["members"] = own.members;
  if (own.numbers) {
    json["columns"] = own.numbers->columns;
    json["own_error"] = own.numbers->error;
    json["notes"] = own.numbers->notes;
  }
  json["common_factor"] = own.common_factor;
  json["throw_away"] = own.throw_away;
  json["consortium"] = own.consortium;
  json["digits"] = own.digits;
  json["run"] = own.run;
  json["restarts"] = own.restarts;
  json["peers"] = Json::array();
  for (const PeerRecord& peer : own.peers) json["peers"].push_back(peer_json(peer));
  return json;
}

void put_search(const RankRecord& search, Json& json) {
  json["rank"] = search.rank;
  json["reason"] = search.reason;
  json["first_counted"] = search.first;
  json["last_counted"] = search.last;
  json["found"] = search.found;
  json["stability"] = search.stability;
  json["candidates"] = Json::array();
  for (const CandidateRecord& candidate : search.candidates) {
    Json one = Json::object();
    one["rank"] = candidate.rank;
    one["loss"] = candidate.loss;
    one["stability"] = candidate.stability;
    one["silhouettes"] = candidate.silhouettes;
    one["X"] = candidate_file(candidate.rank);
    json["candidates"].push_back(std::move(one));
  }
}

}  // namespace

ExposureRecord exposure_record(const nmf::ExposureOptions& options, const nmf::ColumnFits& before,
                               const nmf::ColumnFits& now) {
  ExposureRecord record{nmf::measures_of(now), std::nullopt, options.prune, options.intervals};
  if (options.prune > 0) record.before = nmf::measures_of(before);
  return record;
}

std::string pruning_note() {
  return "Y is without components that do not pay; errors and loss are those of the run, before that.";
}

std::string run_json_text(const RunRecord& record) {
  Json parameters = Json::object();
  for (const auto& [name, text] : record.parameters) parameters[name] = json_value(text);
  Json edges = Json::array();
  for (const auto& [a, b] : record.edges) edges.push_back(Json::array({a, b}));
  // Keys one by one: an initialiser list would take pairs of texts for objects.
  Json json = Json::object();
  json["command"] = record.command;
  json["title"] = record.title;
  json["version"] = record.version;
  const bool seedless = record.own && !record.own->throw_away;
  json["seed"] = seedless ? Json(nullptr) : Json(record.seed);
  json["relative_error"] = record.relative_error;
  json["loss"] = record.loss;
  json["common_error"] = record.common_error;
  json["nmse"] = record.nmse;
  json["disagreement"] = record.disagreement;
  json["worst_agent_error"] = record.worst_agent_error;
  json["iterations"] = record.iterations;
  json["rounds"] = record.rounds;
  json["bytes_sent"] = record.bytes_sent;
  json["seconds"]["total"] = record.seconds_total;
  json["seconds"]["crypto"] = record.seconds_crypto;
  json["seconds"]["numerics"] = record.seconds_numerics;
  json["stopped_because"] = record.stopped_because;
  if (const auto rank = parameters.find("rank"); rank != parameters.end() && rank->is_number()) json["rank"] = *rank;
  json["parameters"] = std::move(parameters);
  json["notes"] = record.notes;
  if (!record.components.empty()) json["components"] = record.components;
  json["agents"] = record.agents;
  json["edges"] = std::move(edges);
  json["columns_per_agent"] = record.columns_per_agent;
  json["agent_errors"] = record.agent_errors;
  json["colluders_to_isolate"] = record.colluders_to_isolate;
  json["colluders_at_least"] = record.colluders_at_least;
  put_components(record, json);
  if (record.search) put_search(*record.search, json);
  if (record.own) json["own"] = own_json(*record.own);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string history_csv_text(const RunRecord& record) {
  const bool own = record.own && record.own->numbers;
  std::string out = "iteration,rounds,nmse,relative_error,loss,disagreement,seconds,bytes";
  out += own ? ",own_error\n" : "\n";
  for (const HistoryRow& row : record.history) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{}", row.iteration, row.rounds, row.nmse,
                   row.relative_error, row.loss, row.disagreement, row.seconds, row.bytes);
    if (own) fmt::format_to(std::back_inserter(out), ",{}", row.own_error);
    out += '\n';
  }
  return out;
}

RunRecord shared_record(RunRecord record) {
  PPDNMF_CHECK(record.own.has_value());
  record.own->numbers.reset();
  record.own->peers.clear();
  record.own->restarts = 0;
  record.matches.clear();  // the catalogue is this agent's file
  record.exposures.reset();
  record.bytes_sent = 0;
  record.seconds_total = record.seconds_crypto = record.seconds_numerics = kNotMeasured;
  for (HistoryRow& row : record.history) {
    row.own_error = kNotMeasured;
    row.seconds = kNotMeasured;
    row.bytes = 0;
  }
  return record;
}

Status write_run_json(const std::filesystem::path& path, const RunRecord& record, unsigned mode) {
  return io::write_file(path, run_json_text(record), mode);
}

Status write_history_csv(const std::filesystem::path& path, const RunRecord& record, unsigned mode) {
  return io::write_file(path, history_csv_text(record), mode);
}

}  // namespace ppdnmf::report
