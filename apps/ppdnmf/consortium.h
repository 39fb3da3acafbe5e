// What `consortium new`, `without` and `check` share.
#ifndef PPDNMF_APPS_CONSORTIUM_H_
#define PPDNMF_APPS_CONSORTIUM_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include <ppdnmf/base/result.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/protocol/graph.h>

namespace CLI {
class App;
}

namespace ppdnmf::app {

// Prints the consortium, what it means for privacy and every problem, as lines or JSON. Fails with kUsage, `place` in
// front, if no agent would take part.
[[nodiscard]] Status show_consortium(const consortium::Consortium& consortium, const std::string& place, bool json,
                                     bool quiet);

// Where a new file goes, and what is printed of it.
struct ConsortiumOutput {
  std::filesystem::path out;
  bool force = false;
  bool json = false;
  bool quiet = false;
};

void add_consortium_output(CLI::App& command, ConsortiumOutput& output);
// What agents would refuse later is not written in the first place, and what was written can be read.
[[nodiscard]] Status write_checked(const consortium::Consortium& consortium, const std::filesystem::path& out);

// "auto" joins as random:3 does, as far as members can be reached.
[[nodiscard]] Result<protocol::Graph> load_members_graph(const std::string& topology, std::uint64_t seed,
                                                         const consortium::Consortium& consortium);

// The digest of the X in this file becomes part of the consortium, if it fits; an empty path changes nothing.
[[nodiscard]] Status take_start_from(const std::filesystem::path& path, consortium::Consortium& consortium);

void add_consortium_new(CLI::App& group, Status& outcome);
void add_consortium_without(CLI::App& group, Status& outcome);

}  // namespace ppdnmf::app

#endif  // PPDNMF_APPS_CONSORTIUM_H_
