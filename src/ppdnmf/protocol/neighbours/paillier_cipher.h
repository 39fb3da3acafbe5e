// The paper's scheme under Paillier, hardened or as printed (docs/protocol.md, docs/crypto.md).
//
// Start-up: neighbours exchange their run's public keys. Each two neighbours of an agent agree on the masks that hide
// their answers to it (hardened): from their identities and from the keys made for this run, whose public bytes are the
// nonces of the roll call (protocol/roll_call.h). No message is needed for it.
#ifndef PPDNMF_PROTOCOL_NEIGHBOURS_PAILLIER_CIPHER_H_
#define PPDNMF_PROTOCOL_NEIGHBOURS_PAILLIER_CIPHER_H_

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <ppdnmf/base/executor.h>
#include <ppdnmf/base/random.h>
#include <ppdnmf/crypto/key.h>
#include <ppdnmf/crypto/mask.h>
#include <ppdnmf/crypto/packing.h>
#include <ppdnmf/crypto/paillier.h>
#include <ppdnmf/protocol/graph.h>
#include <ppdnmf/protocol/neighbours/cipher.h>
#include <ppdnmf/protocol/run_settings.h>

namespace ppdnmf::protocol::neighbours {

// What all agents of an encrypted run know alike. Shared, immutable.
struct PaillierRun {
  RunId run{};
  RunSettings settings;
  crypto::KeyOptions keys;
  Graph graph;
  std::vector<crypto::IdentityBytes> identities;  // of every agent, from the consortium
  std::vector<crypto::IdentityBytes> nonces;      // of every agent, from the roll call

  // As Cipher's, of a validated run.
  [[nodiscard]] std::size_t greeting_bytes() const;
  [[nodiscard]] std::size_t payload_bytes() const;
};

// Fails with kUsage if the keys are not permitted or a slot of settings.sum_bits() does not fit.
[[nodiscard]] Status validate(const PaillierRun& run);

class PaillierCipher final : public Cipher {
 public:
  // `secret` is the agent's; its streams of purposes kKeyStream and above are used here. The ephemeral key is that of
  // the agent's nonce (checked). `executor` outlives the cipher. The run is validated (checked). The key pair is made
  // at the first greeting: it takes a second or so.
  PaillierCipher(std::shared_ptr<const PaillierRun> run, AgentId self, const Seed& secret, crypto::IdentityKey identity,
                 crypto::IdentityKey ephemeral, Executor& executor);

  [[nodiscard]] Bytes greeting(AgentId to) override;
  [[nodiscard]] Status accept_greeting(AgentId from, ByteSpan payload) override;
  [[nodiscard]] std::size_t max_greeting_bytes() const override { return run_->greeting_bytes(); }
  [[nodiscard]] std::size_t payload_bytes() const override { return plaintexts_ * run_->keys.bits / 4; }
  void salt(const Digest& salt) override;
  bool prepare_query(Round round) override;
  bool prepare_reply(Round round, AgentId asker) override;
  [[nodiscard]] Result<Bytes> make_query(Round round, std::span<const std::int64_t> minus_u) override;
  [[nodiscard]] Result<Bytes> make_reply(Round round, AgentId asker, ByteSpan query, const ReplyTerms& terms) override;
  [[nodiscard]] Result<std::vector<std::int64_t>> open(Round round, std::span<const ReceivedReply> replies) override;

 private:
  // Random factors drawn beforehand, for one round.
  struct Prepared {
    Round round;
    crypto::RandomFactors factors;
  };
  struct Peer {
    std::optional<crypto::PeerEncryptor> encryptor;
    std::vector<crypto::PairKey> masks;  // one with every other neighbour of this peer
    std::optional<Prepared> prepared;
  };

  [[nodiscard]] bool hardened() const { return run_->settings.scheme == SchemeKind::kHardened; }
  void make_key();
  [[nodiscard]] Status accept_key(Peer& peer, AgentId from, ByteSpan payload);
  [[nodiscard]] Status agree_on_masks(Peer& peer, AgentId asker);
  [[nodiscard]] crypto::RandomFactors draw_for_query(Round round) const;
  [[nodiscard]] crypto::RandomFactors draw_for_reply(Round round, AgentId asker) const;
  [[nodiscard]] Result<crypto::Ciphertexts> decode(const crypto::PublicKey& key, AgentId from, ByteSpan payload) const;

  std::shared_ptr<const PaillierRun> run_;
  AgentId self_;
  Seed secret_;
  Seed factors_;  // the secret, salted: of random factors only
  crypto::IdentityKey identity_;
  crypto::IdentityKey ephemeral_;
  Executor& executor_;
  crypto::Packing packing_;
  std::size_t plaintexts_;  // in a message
  std::optional<crypto::PrivateKey> key_;
  std::optional<crypto::OwnEncryptor> encryptor_;
  std::optional<Prepared> prepared_;  // this agent's query's
  std::map<AgentId, Peer> peers_;
};

}  // namespace ppdnmf::protocol::neighbours

#endif  // PPDNMF_PROTOCOL_NEIGHBOURS_PAILLIER_CIPHER_H_
