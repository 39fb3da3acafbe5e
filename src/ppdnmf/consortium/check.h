// What is wrong with a consortium, and what to type about it.
#ifndef PPDNMF_CONSORTIUM_CHECK_H_
#define PPDNMF_CONSORTIUM_CHECK_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/consortium/consortium.h>
#include <ppdnmf/protocol/graph.h>

namespace ppdnmf::consortium {

enum class Severity : std::uint8_t {
  kRefusal,  // no agent takes part
  kWarning,
};

struct Problem {
  Severity severity = Severity::kRefusal;
  std::string sentence;
};

// Every problem, refusals first. Empty: nothing is wrong.
[[nodiscard]] std::vector<Problem> check(const Consortium& consortium, std::chrono::sys_seconds now);

// Who could see whose messages alone with how many helpers, every entry that allows by name what would be refused, and
// a private run's account, as sentences. The graph is the consortium's.
[[nodiscard]] std::vector<std::string> privacy_notes(const Consortium& consortium, const protocol::Graph& graph);

// A consortium without refusals: what an agent takes part in. Immutable.
class CheckedConsortium {
 public:
  // Fails with kUsage: the first refusal, and how many more there are.
  [[nodiscard]] static Result<CheckedConsortium> create(Consortium consortium, std::chrono::sys_seconds now);

  // With the numbers that suit the graph where the file leaves them open (protocol::chosen).
  [[nodiscard]] const Consortium& content() const { return content_; }
  [[nodiscard]] const protocol::Graph& graph() const { return graph_; }
  // Of the consortium as it was given.
  [[nodiscard]] const Digest& digest() const { return digest_; }
  // The place of this identity, if it is a member's.
  [[nodiscard]] std::optional<AgentId> find(const identity::PublicIdentity& identity) const;

 private:
  CheckedConsortium(Consortium content, protocol::Graph graph, const Digest& digest);
  Consortium content_;
  protocol::Graph graph_;
  Digest digest_;
};

}  // namespace ppdnmf::consortium

#endif  // PPDNMF_CONSORTIUM_CHECK_H_
