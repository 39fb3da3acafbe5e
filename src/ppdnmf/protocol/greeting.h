// How a run begins: neighbours make sure that they were given the same settings and exchange what their ciphers need.
//
// Stage s is sent when all neighbours' stage s - 1 are in. A neighbour can be one stage ahead.
#ifndef PPDNMF_PROTOCOL_GREETING_H_
#define PPDNMF_PROTOCOL_GREETING_H_

#include <cstdint>
#include <optional>
#include <vector>

#include <ppdnmf/base/digest.h>
#include <ppdnmf/protocol/action.h>
#include <ppdnmf/protocol/cipher.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol {

class Greeting {
 public:
  // `weights`: as printed, the own ones of the first exchange, which are revealed; else none. Settings and cipher
  // outlive it.
  Greeting(const RunSettings& settings, const Digest& digest, const std::vector<AgentId>& neighbours,
           std::vector<std::int64_t> weights, Cipher& cipher);

  void begin(Outbox& out);
  // Fails with kPeer, naming the agent, if it has other settings, if the cipher does not accept what it sent, or (as
  // printed) if it reveals what cannot be a weight.
  [[nodiscard]] Status take(AgentId from, const Hello& hello, Outbox& out);
  // Goes on to the next stage when it can. True, once, when all stages are done.
  [[nodiscard]] Result<bool> advance(Outbox& out);
  void resend(Outbox& out) const;

  [[nodiscard]] bool active() const { return begun_ && !done_; }
  // Whose greeting of this stage is missing.
  [[nodiscard]] std::vector<AgentId> waiting_for() const;
  // The neighbours' first weights towards this agent, as printed.
  [[nodiscard]] std::vector<std::int64_t> first_weights() const;

  void save(ByteWriter& out) const;
  // Fails with kInvalidData if it cannot have come to this by itself. The cipher goes through the start-up again.
  [[nodiscard]] Status load(ByteReader& in);

 private:
  struct Neighbour {
    AgentId id;
    std::vector<Bytes> accepted;    // by stage
    std::vector<Bytes> sent;        // by stage
    std::int64_t own_weight = 0;    // ours towards it
    std::int64_t first_weight = 0;  // its towards us
    std::optional<Hello> early;     // of the stage after this one
  };

  void begin_stage(std::uint32_t stage, Outbox& out);
  [[nodiscard]] Status accept(Neighbour& from, const Hello& hello);
  [[nodiscard]] Hello hello_of(const Neighbour& to, std::uint32_t stage, bool again) const;
  [[nodiscard]] bool is_consistent() const;

  const RunSettings& settings_;
  Digest digest_;
  Cipher& cipher_;
  std::vector<Neighbour> neighbours_;
  bool begun_ = false;
  bool done_ = false;
  std::uint32_t stage_ = 0;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_GREETING_H_
