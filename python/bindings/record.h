// What a run has to tell, as a dict with the fields of run.json, and back.
#ifndef PPDNMF_PYTHON_RECORD_H_
#define PPDNMF_PYTHON_RECORD_H_

#include <pybind11/pybind11.h>

#include <ppdnmf/report/run_record.h>

namespace ppdnmf::python {

// Without the history, which `to_dict(record.history)` gives.
[[nodiscard]] pybind11::dict to_dict(const report::RunRecord& record);
// What a search for the number of components leaves: reason, found, stability and candidates.
[[nodiscard]] pybind11::dict to_dict(report::RankRecord search);
// Raises KeyError or a cast's TypeError if it is no such dict.
[[nodiscard]] report::RunRecord to_record(const pybind11::dict& fields, const pybind11::dict& history);

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_RECORD_H_
