#include "record.h"

#include <pybind11/stl.h>

#include <cmath>
#include <utility>

#include "arrays.h"

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

// The one list of fields: `visit(name, field)` for each. Works on a record that is read and on one that is written.
template <typename Record, typename Visit>
void for_each_field(Record& record, const Visit& visit) {
  visit("command", record.command);
  visit("title", record.title);
  visit("version", record.version);
  visit("seed", record.seed);
  visit("parameters", record.parameters);
  visit("relative_error", record.relative_error);
  visit("loss", record.loss);
  visit("common_error", record.common_error);
  visit("nmse", record.nmse);
  visit("disagreement", record.disagreement);
  visit("worst_agent_error", record.worst_agent_error);
  visit("iterations", record.iterations);
  visit("rounds", record.rounds);
  visit("bytes_sent", record.bytes_sent);
  visit("seconds_total", record.seconds_total);
  visit("seconds_crypto", record.seconds_crypto);
  visit("seconds_numerics", record.seconds_numerics);
  visit("stopped_because", record.stopped_because);
  visit("notes", record.notes);
  visit("components", record.components);
  visit("agents", record.agents);
  visit("edges", record.edges);
  visit("columns_per_agent", record.columns_per_agent);
  visit("agent_errors", record.agent_errors);
  visit("colluders_to_isolate", record.colluders_to_isolate);
  visit("colluders_at_least", record.colluders_at_least);
}

// A measure that was not taken is None in Python, as it is null in run.json.
template <typename T>
py::object to_python(const T& field) {
  return py::cast(field);
}
py::object to_python(double measure) { return std::isnan(measure) ? py::object(py::none()) : py::float_(measure); }

template <typename T>
void take(const py::object& value, T& field) {
  field = value.cast<T>();
}
void take(const py::object& value, double& measure) {
  measure = value.is_none() ? report::kNotMeasured : value.cast<double>();
}

}  // namespace

py::dict to_dict(report::RankRecord search) {
  py::list candidates;
  for (report::CandidateRecord& one : search.candidates) {
    py::dict fields;
    fields["rank"] = one.rank;
    fields["loss"] = one.loss;
    fields["stability"] = one.stability;
    fields["silhouettes"] = one.silhouettes;
    fields["components"] = transposed(std::move(one.X));
    candidates.append(fields);
  }
  py::dict out;
  out["reason"] = search.reason;
  out["found"] = search.found;
  out["stability"] = search.stability;
  out["candidates"] = candidates;
  return out;
}

py::dict to_dict(const report::RunRecord& record) {
  py::dict fields;
  for_each_field(record, [&](const char* name, const auto& field) { fields[name] = to_python(field); });
  return fields;
}

report::RunRecord to_record(const py::dict& fields, const py::dict& history) {
  report::RunRecord record;
  for_each_field(record, [&](const char* name, auto& field) { take(fields[name], field); });
  const auto column = [&](const char* name) { return history[name].cast<py::sequence>(); };
  const py::sequence iteration = column("iteration");
  const py::sequence rounds = column("rounds");
  const py::sequence nmse = column("nmse");
  const py::sequence relative_error = column("relative_error");
  const py::sequence loss = column("loss");
  const py::sequence disagreement = column("disagreement");
  const py::sequence seconds = column("seconds");
  const py::sequence bytes = column("bytes");
  for (std::size_t n = 0; n < iteration.size(); ++n) {
    record.history.push_back({iteration[n].cast<int>(), rounds[n].cast<std::int64_t>(), nmse[n].cast<double>(),
                              relative_error[n].cast<double>(), loss[n].cast<double>(), disagreement[n].cast<double>(),
                              seconds[n].cast<double>(), bytes[n].cast<std::uint64_t>()});
  }
  return record;
}

}  // namespace ppdnmf::python
