#include "history.h"

#include <memory>

namespace py = pybind11;

namespace ppdnmf::python {
namespace {

// The one list of the columns' names: `add(name, value)` for each.
template <typename Add>
void for_each_field(const report::HistoryRow& row, const Add& add) {
  add("iteration", py::int_(row.iteration));
  add("rounds", py::int_(row.rounds));
  add("nmse", py::float_(row.nmse));
  add("relative_error", py::float_(row.relative_error));
  add("loss", py::float_(row.loss));
  add("disagreement", py::float_(row.disagreement));
  add("seconds", py::float_(row.seconds));
  add("bytes", py::int_(row.bytes));
}

}  // namespace

py::dict to_dict(const std::vector<report::HistoryRow>& history) {
  py::dict columns;
  for_each_field(report::HistoryRow{}, [&](const char* name, const py::object&) { columns[name] = py::list(); });
  for (const report::HistoryRow& row : history) {
    for_each_field(row,
                   [&](const char* name, const py::object& value) { columns[name].cast<py::list>().append(value); });
  }
  return columns;
}

Listener listener_of(const py::object& callback) {
  if (callback.is_none()) return {};
  return [callback](const report::HistoryRow& row) {
    py::dict fields;
    for_each_field(row, [&](const char* name, const py::object& value) { fields[name] = value; });
    const py::object answer = callback(fields);
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) throw py::error_already_set();
    return truth != 0;
  };
}

run::Hooks hooks_of(Monitor& monitor) {
  const auto end_here = std::make_shared<bool>(false);
  run::Hooks hooks;
  hooks.iteration = [&monitor, end_here](const report::HistoryRow& row) {
    if (!*end_here) *end_here = monitor.report(row);
  };
  hooks.wish = [&monitor, end_here] {
    if (monitor.given_up()) return run::Wish::kPause;  // nobody waits for it any more
    return *end_here ? run::Wish::kEnd : run::Wish::kGoOn;
  };
  return hooks;
}

}  // namespace ppdnmf::python
