// What travels on a stream between two agents, as bytes: the protobuf messages of envelope.proto in one canonical form.
// Pure; safe to call from several threads.
#ifndef PPDNMF_WIRE_ENVELOPE_H_
#define PPDNMF_WIRE_ENVELOPE_H_

#include <cstdint>
#include <string>
#include <variant>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/message.h>
#include <ppdnmf/protocol/reason.h>

namespace ppdnmf::wire {

// Of the protocol. Raised with every change that an older program would misunderstand.
inline constexpr std::uint32_t kWireVersion = 5;

// First on every stream, both ways.
struct Introduction {
  std::uint32_t version = kWireVersion;
  Digest consortium{};  // of the consortium's meaning
  Digest nonce{};       // the sender's, of this run
  // The highest save number of the receiver that the sender has seen. The sender keeps it in memory until its next
  // save, and forgets what it saw after the last one when it is killed.
  std::uint64_t seen = 0;
  friend bool operator==(const Introduction&, const Introduction&) = default;
};

inline constexpr std::size_t kMaxSignatureBytes = 72;

struct Letter {
  std::uint64_t save_number = 0;  // the sender's, when this was sent
  protocol::Message message;
  Bytes signature{};  // the sender's on what it says (logbook/letters.h), at most kMaxSignatureBytes; empty: none
  friend bool operator==(const Letter&, const Letter&) = default;
};

// The sender has written its results and needs nothing more.
struct Goodbye {
  friend bool operator==(const Goodbye&, const Goodbye&) = default;
};

// The sender gives up. There is no room for words of its own in it.
struct Abort {
  protocol::Reason reason = protocol::Reason::kDefect;
  AgentId who;  // gave up first, for this reason; the sender, or another one whose Abort it passes on
  friend bool operator==(const Abort&, const Abort&) = default;
};

using Envelope = std::variant<Introduction, Letter, Goodbye, Abort>;

// Copies payloads once.
[[nodiscard]] Bytes encode(const Envelope& envelope);
// encode(Letter{save_number, message, signature}) without a copy of the message in between.
[[nodiscard]] Bytes encode_letter(std::uint64_t save_number, const protocol::Message& message,
                                  const Bytes& signature = {});
// The bytes that encode() adds to the payload of a letter are never more.
inline constexpr std::size_t kMaxEnvelopeOverhead = 256;

// Total: any bytes may be given. encode() of what it returns gives the same bytes again. Fails with kPeer on everything
// that encode() does not write: unknown, missing, repeated or misplaced fields, numbers in more bytes than they need or
// out of their range, digests of another length, unknown reasons, bytes left over; on an introduction of another
// version, with both versions in the sentence; on a round with a zero in it. Takes memory for the payload that is there
// and copies it once.
[[nodiscard]] Result<Envelope> decode(ByteSpan bytes);

}  // namespace ppdnmf::wire

#endif  // PPDNMF_WIRE_ENVELOPE_H_
