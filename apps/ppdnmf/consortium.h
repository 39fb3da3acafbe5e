// What `consortium new` and `consortium check` share.
#ifndef PPDNMF_APPS_CONSORTIUM_H_
#define PPDNMF_APPS_CONSORTIUM_H_

#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/consortium.h>

namespace CLI {
class App;
}

namespace ppdnmf::app {

// Prints the consortium, what it means for privacy and every problem, as lines or JSON. Fails with kUsage, `place` in
// front, if no agent would take part.
[[nodiscard]] Status show_consortium(const consortium::Consortium& consortium, const std::string& place, bool json,
                                     bool quiet);

void add_consortium_new(CLI::App& group, Status& outcome);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_CONSORTIUM_H_
