// Ciphers that outlive a crash. An agent makes its keys from its secret, so one that comes back makes the same ones
// again; that takes most of the time of a run with crashes. Here it finds the cipher of the process before it instead.
#ifndef PPDNMF_TESTS_SCENARIO_KEPT_CIPHERS_H_
#define PPDNMF_TESTS_SCENARIO_KEPT_CIPHERS_H_

#include <map>
#include <memory>
#include <utility>

#include <ppdnmf/protocol/neighbours/cipher.h>
#include <ppdnmf/sim/ciphers.h>

namespace ppdnmf::scenario {

// An agent's cipher, and what its neighbours greeted it with.
struct KeptCipher {
  std::unique_ptr<protocol::neighbours::Cipher> cipher;
  std::map<AgentId, Bytes> accepted;
};

// What one process has of it.
class LentCipher : public protocol::neighbours::Cipher {
 public:
  explicit LentCipher(std::shared_ptr<KeptCipher> kept) : kept_(std::move(kept)) {}

  Bytes greeting(AgentId to) override { return cipher().greeting(to); }
  Status accept_greeting(AgentId from, ByteSpan payload) override {
    const Bytes bytes(payload.begin(), payload.end());
    const auto known = kept_->accepted.find(from);
    if (known != kept_->accepted.end() && known->second == bytes) return {};
    Status accepted = cipher().accept_greeting(from, payload);
    if (accepted) kept_->accepted[from] = bytes;
    return accepted;
  }
  [[nodiscard]] std::size_t max_greeting_bytes() const override { return cipher().max_greeting_bytes(); }
  [[nodiscard]] std::size_t payload_bytes() const override { return cipher().payload_bytes(); }
  void salt(const Digest& salt) override { cipher().salt(salt); }
  bool prepare_query(protocol::Round round) override { return cipher().prepare_query(round); }
  bool prepare_reply(protocol::Round round, AgentId asker) override { return cipher().prepare_reply(round, asker); }
  Result<Bytes> make_query(protocol::Round round, std::span<const std::int64_t> minus_u) override {
    return cipher().make_query(round, minus_u);
  }
  Result<Bytes> make_reply(protocol::Round round, AgentId asker, ByteSpan query,
                           const protocol::neighbours::ReplyTerms& terms) override {
    return cipher().make_reply(round, asker, query, terms);
  }
  Result<std::vector<std::int64_t>> open(protocol::Round round,
                                         std::span<const protocol::neighbours::ReceivedReply> replies) override {
    return cipher().open(round, replies);
  }

 private:
  [[nodiscard]] protocol::neighbours::Cipher& cipher() const { return *kept_->cipher; }

  std::shared_ptr<KeptCipher> kept_;
};

// Asks `make` once for each agent.
inline sim::CipherFactory keep_ciphers(sim::CipherFactory make) {
  return
      [make = std::move(make), all = std::make_shared<std::map<AgentId, std::shared_ptr<KeptCipher>>>()](AgentId self) {
        std::shared_ptr<KeptCipher>& kept = (*all)[self];
        if (!kept) kept = std::make_shared<KeptCipher>(KeptCipher{make(self), {}});
        return std::make_unique<LentCipher>(kept);
      };
}

}  // namespace ppdnmf::scenario

#endif  // PPDNMF_TESTS_SCENARIO_KEPT_CIPHERS_H_
