#include <memory>

#include <CLI/CLI.hpp>

#include "apps/ppdnmf/clock.h"
#include "apps/ppdnmf/consortium.h"
#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/member_data.h>
#include <ppdnmf/consortium/reachable.h>
#include <ppdnmf/io/atomic_file.h>
#include <ppdnmf/io/read_matrix.h>
#include <ppdnmf/run/network_plan.h>

namespace ppdnmf::app {

Result<protocol::Graph> load_members_graph(const std::string& topology, std::uint64_t seed,
                                           const consortium::Consortium& consortium) {
  const auto members = static_cast<std::uint32_t>(consortium.members.size());
  if (topology != "auto") return run::load_graph(topology, members, seed);
  PPDNMF_TRY(const protocol::Graph wished, run::load_graph("random:3", members, seed));
  if (consortium.relay) return wished;
  std::vector<bool> listens;
  for (const consortium::Member& member : consortium.members) listens.push_back(member.address.has_value());
  return consortium::reachable_graph(wished, listens);
}

Status take_start_from(const std::filesystem::path& path, consortium::Consortium& consortium) {
  if (path.empty()) return {};
  PPDNMF_TRY(const io::Table table, io::read_matrix(path));
  if (auto fits = consortium::check_start_matrix(table.values, consortium); !fits) {
    return at("--start-from " + path.string(), std::move(fits).error());
  }
  consortium.start_from = consortium::matrix_digest(table.values);
  return {};
}

Status write_checked(const consortium::Consortium& consortium, const std::filesystem::path& out) {
  if (auto checked = consortium::CheckedConsortium::create(consortium, now()); !checked)
    return tl::unexpected(std::move(checked).error());
  const std::string text = consortium::write_consortium(consortium);
  if (auto again = consortium::parse_consortium(text); !again) return tl::unexpected(std::move(again).error());
  return io::write_file(out, text);
}

void add_consortium_output(CLI::App& command, ConsortiumOutput& output) {
  command.add_option("--out", output.out, "the file to write")->required();
  command.add_flag("--force", output.force, "replace that file");
  command.add_flag("--json", output.json, "print JSON instead of lines");
  command.add_flag("--quiet", output.quiet, "print only errors");
}

}  // namespace ppdnmf::app
