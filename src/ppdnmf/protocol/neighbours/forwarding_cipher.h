// Another cipher, passed on call by call: for whoever wants to change or note only some of them.
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_FORWARDING_CIPHER_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_FORWARDING_CIPHER_H_

#include <memory>
#include <utility>

#include <ppdnmf/protocol/neighbours/cipher.h>

namespace ppdnmf::protocol::neighbours {

class ForwardingCipher : public Cipher {
 public:
  explicit ForwardingCipher(std::unique_ptr<Cipher> cipher) : cipher_(std::move(cipher)) {}

  [[nodiscard]] Bytes greeting(AgentId to) override { return cipher_->greeting(to); }
  [[nodiscard]] Status accept_greeting(AgentId from, ByteSpan payload) override {
    return cipher_->accept_greeting(from, payload);
  }
  [[nodiscard]] std::size_t max_greeting_bytes() const override { return cipher_->max_greeting_bytes(); }
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

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_FORWARDING_CIPHER_H_
