// What each agent sent, received and decrypted: for audits, and as test data that a person can read.
#ifndef PPDNMF_SIM_TRANSCRIPT_H_
#define PPDNMF_SIM_TRANSCRIPT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ppdnmf/base/ids.h>
#include <ppdnmf/protocol/message.h>
#include <ppdnmf/sim/ciphers.h>

namespace ppdnmf::sim {

// Called by a Simulation, on one thread, in an order that depends on the seeds alone.
class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  Recorder(Recorder&&) = delete;
  Recorder& operator=(Recorder&&) = delete;
  virtual ~Recorder() = default;

  virtual void sent(std::uint64_t now, AgentId from, AgentId to, const protocol::Message& message) = 0;
  virtual void received(std::uint64_t now, AgentId from, AgentId to, const protocol::Message& message) = 0;
};

// Everything as lines of text, one event each:
//   <time> <agent> sends <agent> <message>      <time> <agent> gets <agent> <message>      <agent> opens <round> of
//   <agents>: <integers>
// Payloads appear as integers when they are plain, else as their length and the start of their SHA-256; the words of a
// sum as hexadecimal numbers, in parts as they travel (masked or not), in totals as everybody sees them. Holds what
// agents decrypted: a secret outside simulations.
class Transcript final : public Recorder {
 public:
  explicit Transcript(std::size_t agents, bool plain) : opened_(agents), plain_(plain) {}

  // Ciphers that also tell this transcript what they open. The transcript must outlive them.
  [[nodiscard]] CipherFactory record(CipherFactory factory);

  void sent(std::uint64_t now, AgentId from, AgentId to, const protocol::Message& message) override;
  void received(std::uint64_t now, AgentId from, AgentId to, const protocol::Message& message) override;
  [[nodiscard]] std::string text();

 private:
  friend class RecordingCipher;
  void take_opened(AgentId agent);
  [[nodiscard]] std::string describe(const protocol::Message& message) const;
  [[nodiscard]] std::string describe(ByteSpan payload) const;
  [[nodiscard]] static std::string describe_words(ByteSpan payload);

  std::vector<std::vector<std::string>> opened_;  // per agent, so that agents on different threads do not meet
  bool plain_;
  std::string text_;
};

}  // namespace ppdnmf::sim

#endif  // PPDNMF_SIM_TRANSCRIPT_H_
