// No cipher: integers as they are. For simulations, where nobody's data are at risk; exact, so that an encrypted run
// must give the same bytes.
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_PLAIN_CIPHER_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_PLAIN_CIPHER_H_

#include <ppdnmf/protocol/neighbours/cipher.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol::neighbours {

class PlainCipher final : public Cipher {
 public:
  explicit PlainCipher(const RunSettings& settings);

  [[nodiscard]] Bytes greeting(AgentId to) override;
  [[nodiscard]] Status accept_greeting(AgentId from, ByteSpan payload) override;
  [[nodiscard]] std::size_t max_greeting_bytes() const override { return 0; }
  [[nodiscard]] std::size_t payload_bytes() const override { return entries_ * sizeof(std::int64_t); }
  [[nodiscard]] Result<Bytes> make_query(Round round, std::span<const std::int64_t> minus_u) override;
  [[nodiscard]] Result<Bytes> make_reply(Round round, AgentId asker, ByteSpan query, const ReplyTerms& terms) override;
  [[nodiscard]] Result<std::vector<std::int64_t>> open(Round round, std::span<const ReceivedReply> replies) override;

 private:
  // Fails with kPeer unless the payload has one 64-bit integer per entry, none larger than `bound`.
  [[nodiscard]] Result<std::vector<std::int64_t>> decode(AgentId from, ByteSpan payload, std::int64_t bound) const;

  std::size_t entries_;
  std::int64_t query_bound_;  // |u|
  std::int64_t reply_bound_;  // what one reply can amount to
};

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_PLAIN_CIPHER_H_
