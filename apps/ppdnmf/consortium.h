// What `consortium new`, `consortium check` and `launch` share.
#ifndef PPDNMF_APPS_CONSORTIUM_H_
#define PPDNMF_APPS_CONSORTIUM_H_

#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/run/options.h>

namespace CLI {
class App;
}

namespace ppdnmf::app {

// What the file says of settings that make_settings made of these options.
[[nodiscard]] consortium::AgreedSettings agreed_on(const protocol::RunSettings& run, const run::FactorOptions& factor,
                                       const run::NetworkOptions& network);

// Prints the consortium, what it means for privacy and every problem, as lines or JSON. Fails with kUsage, `place` in
// front, if no agent would take part.
[[nodiscard]] Status show_consortium(const consortium::Consortium& consortium, const std::string& place, bool json, bool quiet);

void add_consortium_new(CLI::App& group, Status& outcome);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_CONSORTIUM_H_
