// A run's history in Python: a dict of lists with the columns of history.csv.
#ifndef PPDNMF_PYTHON_HISTORY_H_
#define PPDNMF_PYTHON_HISTORY_H_

#include <pybind11/pybind11.h>

#include <chrono>
#include <vector>

#include "background.h"
#include <ppdnmf/report/run_record.h>

namespace ppdnmf::python {

[[nodiscard]] pybind11::dict to_dict(const std::vector<report::HistoryRow>& history);

// Calls `callback(row)` with a dict; what it returns, as a truth value, ends the run. None: no listener.
[[nodiscard]] Listener listener_of(const pybind11::object& callback);

class Clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_HISTORY_H_
