#include <algorithm>

#include <ppdnmf/consortium/check.h>
#include <ppdnmf/consortium/internal/problems.h>

namespace ppdnmf::consortium {

CheckedConsortium::CheckedConsortium(Consortium content, protocol::Graph graph, const Digest& digest)
    : content_(std::move(content)), graph_(std::move(graph)), digest_(digest) {}

Result<CheckedConsortium> CheckedConsortium::create(Consortium consortium, std::chrono::sys_seconds now) {
  const std::vector<Problem> problems = check(consortium, now);
  const auto refusals = std::count_if(problems.begin(), problems.end(),
                                      [](const Problem& p) { return p.severity == Severity::kRefusal; });
  if (refusals == 1) return error(ErrorCode::kUsage, "{}", problems.front().sentence);
  if (refusals > 1) return error(ErrorCode::kUsage, "{} (and {} more)", problems.front().sentence, refusals - 1);
  PPDNMF_TRY(protocol::Graph graph, protocol::Graph::create(static_cast<std::uint32_t>(consortium.members.size()),
                                                            internal::known_edges(consortium)));
  const Digest digest = digest_of(consortium);
  consortium.settings = protocol::chosen(consortium.settings, consortium.rows, graph);
  return CheckedConsortium(std::move(consortium), std::move(graph), digest);
}

std::optional<AgentId> CheckedConsortium::find(const identity::PublicIdentity& identity) const {
  const auto at = std::find_if(content_.members.begin(), content_.members.end(),
                               [&](const Member& member) { return member.identity == identity; });
  if (at == content_.members.end()) return std::nullopt;
  return AgentId{static_cast<std::uint32_t>(at - content_.members.begin())};
}

}  // namespace ppdnmf::consortium
