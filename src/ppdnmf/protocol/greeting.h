// How a run begins: neighbours make sure that they are in the same run (settings, graph, everybody's nonces) and tell
// each other what their scheme needs.
#ifndef PPDNMF_PROTOCOL_GREETING_H_
#define PPDNMF_PROTOCOL_GREETING_H_

#include <optional>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/protocol/scheme.h>
#include <ppdnmf/protocol/step.h>

namespace ppdnmf::protocol {

class Greeting {
 public:
  // `common`: the digest of all that neighbours must have in common. `peers` outlives it; null: there is nothing to
  // tell but the digest.
  Greeting(const Digest& common, const std::vector<AgentId>& neighbours, PeerExchange* peers);

  void begin(Outbox& out);
  // Fails with kPeer, naming the agent, if it has another digest or if what it told is not accepted.
  [[nodiscard]] Status take(AgentId from, const Hello& hello, Outbox& out);
  // True, once, when all neighbours have been heard.
  [[nodiscard]] bool advance();
  void resend(Outbox& out) const;

  [[nodiscard]] bool active() const { return begun_ && !done_; }
  // Whose greeting is missing.
  [[nodiscard]] std::vector<AgentId> waiting_for() const;

  void save(ByteWriter& out) const;
  // Fails with kInvalidData if it cannot have come to this by itself. `peers` goes through the greetings again.
  [[nodiscard]] Status load(ByteReader& in);

 private:
  struct Neighbour {
    AgentId id;
    std::optional<Salutation> sent, accepted;
  };

  [[nodiscard]] Salutation salutation_to(AgentId neighbour) const;
  [[nodiscard]] Status accept(Neighbour& from, Salutation salutation);
  [[nodiscard]] Status accept_again();
  [[nodiscard]] Hello hello_of(const Neighbour& to, bool again) const;
  [[nodiscard]] bool all_heard() const;
  [[nodiscard]] bool is_consistent() const;

  Digest common_;
  PeerExchange* peers_;
  std::vector<Neighbour> neighbours_;
  bool begun_ = false;
  bool done_ = false;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_GREETING_H_
