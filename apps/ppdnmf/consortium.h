// What `consortium new`, `consortium check` and `launch` share.
#ifndef PPDNMF_APPS_CONSORTIUM_H_
#define PPDNMF_APPS_CONSORTIUM_H_

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "consortium/consortium.h"
#include "run/options.h"

namespace ppdnmf {

// What the file says of settings that make_settings made of these options.
[[nodiscard]] AgreedSettings agreed_on(const RunSettings& run, const FactorOptions& factor,
                                       const NetworkOptions& network);

// Prints the consortium, what it means for privacy and every problem, as lines or JSON. Fails with kUsage, `place` in
// front, if no agent would take part.
[[nodiscard]] Status show_consortium(const Consortium& consortium, const std::string& place, bool json, bool quiet);

void add_consortium_new(CLI::App& group, Status& outcome);

}  // namespace ppdnmf

#endif  // PPDNMF_APPS_CONSORTIUM_H_
