// Another cipher, passed on call by call: for whoever wants to change or note only some of them.
#ifndef PPDNMF_PROTOCOL_FORWARDING_CIPHER_H_
#define PPDNMF_PROTOCOL_FORWARDING_CIPHER_H_

#include <memory>
#include <utility>

#include <ppdnmf/protocol/cipher.h>

namespace ppdnmf::protocol {

class ForwardingCipher : public Cipher {
 public:
  explicit ForwardingCipher(std::unique_ptr<Cipher> cipher) : cipher_(std::move(cipher)) {}

  [[nodiscard]] std::uint32_t stages() const override { return cipher_->stages(); }
  [[nodiscard]] Bytes greeting(std::uint32_t stage, AgentId to) override { return cipher_->greeting(stage, to); }
  [[nodiscard]] Status accept_greeting(std::uint32_t stage, AgentId from, ByteSpan payload) override {
    return cipher_->accept_greeting(stage, from, payload);
  }
  [[nodiscard]] std::size_t most_greeting_bytes(AgentId from) const override {
    return cipher_->most_greeting_bytes(from);
  }
  [[nodiscard]] std::size_t payload_bytes() const override { return cipher_->payload_bytes(); }
  void salt(const Digest& salt) override { cipher_->salt(salt); }
  bool prepare_query(Round round) override { return cipher_->prepare_query(round); }
  bool prepare_reply(Round round, AgentId asker) override { return cipher_->prepare_reply(round, asker); }
  [[nodiscard]] Result<Bytes> make_query(Round round, std::span<const std::int64_t> minus_u) override {
    return cipher_->make_query(round, minus_u);
  }
  [[nodiscard]] Result<Bytes> make_reply(Round round, AgentId asker, ByteSpan query, const ReplyTerms& terms) override {
    return cipher_->make_reply(round, asker, query, terms);
  }
  [[nodiscard]] Result<std::vector<std::int64_t>> open(Round round, std::span<const ReceivedReply> replies) override {
    return cipher_->open(round, replies);
  }

 protected:
  [[nodiscard]] Cipher& cipher() { return *cipher_; }

 private:
  std::unique_ptr<Cipher> cipher_;
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_FORWARDING_CIPHER_H_
