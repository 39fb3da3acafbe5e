// How the integers of a round travel. The scheme decides what is sent; the cipher, how it is hidden.
//
// Every quantity is an integer, so all ciphers give the same sums and with them the same X and Y, bit for bit.
// A cipher is deterministic: what it draws comes from streams named by round and neighbour, so that asking twice gives
// the same bytes. Peers' bytes are checked; errors about them have code kPeer.
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_CIPHER_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_CIPHER_H_

#include <cstdint>
#include <span>
#include <vector>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/digest.h>
#include <ppdnmf/base/ids.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/protocol/message.h>

namespace ppdnmf::protocol::neighbours {

struct ReplyTerms {
  std::int64_t weight = 0;
  std::span<const std::int64_t> u;
  std::span<const std::int64_t> blinding;  // as long as u, or empty
};

struct ReceivedReply {
  AgentId from;
  ByteSpan payload;
};

class Cipher {
 public:
  Cipher() = default;
  Cipher(const Cipher&) = delete;
  Cipher& operator=(const Cipher&) = delete;
  Cipher(Cipher&&) = delete;
  Cipher& operator=(Cipher&&) = delete;
  virtual ~Cipher() = default;

  // Start-up: what every neighbour is sent before anything else, and what it sent.
  [[nodiscard]] virtual Bytes greeting(AgentId to) = 0;
  [[nodiscard]] virtual Status accept_greeting(AgentId from, ByteSpan payload) = 0;

  // No greeting is longer; every query and every reply is exactly so long.
  [[nodiscard]] virtual std::size_t max_greeting_bytes() const = 0;
  [[nodiscard]] virtual std::size_t payload_bytes() const = 0;

  // Enters the random factors of encryptions from now on, and nothing else: a process that was started from an old copy
  // of its state encrypts with none that it used before. Zeros: as if it had not been called.
  virtual void salt(const Digest& /*salt*/) {}

  // Work for a later make_query or make_reply that needs no message, done while there is nothing else to do. Changes no
  // result, only when the work is done: a round that never comes costs time and nothing else. False if there is nothing
  // to prepare, or it is prepared already.
  virtual bool prepare_query(Round /*round*/) { return false; }
  virtual bool prepare_reply(Round /*round*/, AgentId /*asker*/) { return false; }

  // -u under this agent's key.
  [[nodiscard]] virtual Result<Bytes> make_query(Round round, std::span<const std::int64_t> minus_u) = 0;
  // weight * (query + u) + blinding under the asker's key, entry by entry.
  [[nodiscard]] virtual Result<Bytes> make_reply(Round round, AgentId asker, ByteSpan query,
                                                 const ReplyTerms& terms) = 0;
  // The sum of the replies to this agent's query of this round, entry by entry. The hardened scheme passes all
  // neighbours' replies at once (their masks cancel only then), the printed one each alone.
  [[nodiscard]] virtual Result<std::vector<std::int64_t>> open(Round round, std::span<const ReceivedReply> replies) = 0;
};

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_CIPHER_H_
