// A run's history in Python: a dict of lists with the columns of history.csv.
#ifndef PPDNMF_PYTHON_HISTORY_H_
#define PPDNMF_PYTHON_HISTORY_H_

#include <pybind11/pybind11.h>

#include <vector>

#include "background.h"
#include <ppdnmf/report/run_record.h>
#include <ppdnmf/run/hooks.h>

namespace ppdnmf::python {

[[nodiscard]] pybind11::dict to_dict(const std::vector<report::HistoryRow>& history);

// Calls `callback(row)` with a dict; what it returns, as a truth value, ends the run. None: no listener.
[[nodiscard]] Listener listener_of(const pybind11::object& callback);

// Hands each iteration to the monitor, ends the run where the listener says so, and leaves off when the caller has
// given up. The monitor must outlive them.
[[nodiscard]] run::Hooks hooks_of(Monitor& monitor);

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_HISTORY_H_
