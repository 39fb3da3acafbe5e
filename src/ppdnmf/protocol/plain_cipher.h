// No cipher: integers as they are. For simulations, where nobody's data are at risk; exact, so that an encrypted run
// must give the same bytes.
#ifndef PPDNMF_PROTOCOL_PLAIN_CIPHER_H_
#define PPDNMF_PROTOCOL_PLAIN_CIPHER_H_

#include <ppdnmf/protocol/cipher.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol {

class PlainCipher final : public Cipher {
 public:
  explicit PlainCipher(const RunSettings& settings);

  [[nodiscard]] std::uint32_t stages() const override { return 1; }
  [[nodiscard]] Bytes greeting(std::uint32_t stage, AgentId to) override;
  [[nodiscard]] Status accept_greeting(std::uint32_t stage, AgentId from, ByteSpan payload) override;
  [[nodiscard]] std::size_t most_greeting_bytes(AgentId /*from*/) const override { return 0; }
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

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_PLAIN_CIPHER_H_
