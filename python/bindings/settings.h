// The table of settings as Python sees it: arguments, values and sentences.
#ifndef PPDNMF_PYTHON_SETTINGS_H_
#define PPDNMF_PYTHON_SETTINGS_H_

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

#include <ppdnmf/protocol/settings.h>

namespace ppdnmf::python {

// Raises a ValueError that names the argument, as the table refuses values. None is a value that was not given.
[[nodiscard]] protocol::Settings settings_of(const pybind11::dict& arguments);

// A sentence with its settings spelled as arguments: `scheme=sum` is scheme='sum', `starts=2` is n_init=2.
[[nodiscard]] std::string in_arguments(std::string_view sentence);

}  // namespace ppdnmf::python

#endif  // PPDNMF_PYTHON_SETTINGS_H_
