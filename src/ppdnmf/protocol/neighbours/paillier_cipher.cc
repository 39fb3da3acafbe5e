#include <ppdnmf/protocol/neighbours/paillier_cipher.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/protocol/purposes.h>

namespace ppdnmf::protocol::neighbours {

Status validate(const PaillierRun& run) {
  PPDNMF_TRY_STATUS(check(run.keys));
  PPDNMF_TRY_STATUS(validate(run.settings));
  PPDNMF_CHECK(run.identities.size() == run.graph.agents() && run.nonces.size() == run.graph.agents());
  return crypto::Packing::create(run.keys.bits, static_cast<std::size_t>(run.settings.sum_bits()))
      .map([](const crypto::Packing&) {});
}

std::size_t PaillierRun::greeting_bytes() const { return crypto::PublicKey::encoded_bytes(keys); }

std::size_t PaillierRun::payload_bytes() const {
  const auto packing = crypto::Packing::create(keys.bits, static_cast<std::size_t>(settings.sum_bits()));
  PPDNMF_CHECK(packing.has_value());
  return packing->plaintexts_for(settings.entries()) * keys.bits / 4;
}

PaillierCipher::PaillierCipher(std::shared_ptr<const PaillierRun> run, AgentId self, const Seed& secret,
                               crypto::IdentityKey identity, crypto::IdentityKey ephemeral, Executor& executor)
    : run_(std::move(run)),
      self_(self),
      secret_(Seed::from_bytes(secret.reveal_secret_bytes())),
      factors_(Seed::from_bytes(secret.reveal_secret_bytes())),
      identity_(std::move(identity)),
      ephemeral_(std::move(ephemeral)),
      executor_(executor),
      packing_(*crypto::Packing::create(run_->keys.bits, static_cast<std::size_t>(run_->settings.sum_bits()))),
      plaintexts_(packing_.plaintexts_for(run_->settings.entries())) {
  PPDNMF_CHECK(run_->nonces[self.value] == ephemeral_.public_bytes());
  for (const AgentId neighbour : run_->graph.neighbours(self)) peers_.try_emplace(neighbour);
}

void PaillierCipher::salt(const Digest& salt) {
  if (salt == Digest{}) return;
  factors_ = Seed::from_bytes(sha256({secret_.reveal_secret_bytes(), salt}));
  prepared_.reset();
  for (auto& [neighbour, peer] : peers_) peer.prepared.reset();
}

void PaillierCipher::make_key() {
  Stream primes(secret_, kKeyStream);
  auto key = crypto::PrivateKey::generate(run_->keys, primes);
  PPDNMF_CHECK(key.has_value());  // the options were validated
  key_ = *std::move(key);
  Stream base(secret_, kOwnBaseStream);
  encryptor_.emplace(*key_, base);
}

Bytes PaillierCipher::greeting(AgentId /*to*/) {
  if (!key_) make_key();
  return key_->public_key().encode();
}

Status PaillierCipher::accept_greeting(AgentId from, ByteSpan payload) {
  const auto found = peers_.find(from);
  PPDNMF_CHECK(found != peers_.end());
  auto accepted = accept_key(found->second, from, payload);
  if (!accepted) return at(fmt::format("agent {}", from.value), std::move(accepted).error());
  return hardened() ? agree_on_masks(found->second, from) : Status();
}

Status PaillierCipher::accept_key(Peer& peer, AgentId from, ByteSpan payload) {
  PPDNMF_TRY(const crypto::PublicKey key, crypto::PublicKey::decode(payload, run_->keys));
  if (key_ && key.same_as(key_->public_key())) return error(ErrorCode::kPeer, "it sent this agent's own key");
  Stream base(secret_, kPeerBaseStream, from.value);
  peer.encryptor.emplace(key, base);
  return {};
}

// With every other neighbour of the asker.
Status PaillierCipher::agree_on_masks(Peer& peer, AgentId asker) {
  peer.masks.clear();
  for (const AgentId fellow : run_->graph.neighbours(asker)) {
    if (fellow == self_) continue;
    auto pair =
        crypto::PairKey::agree({identity_, ephemeral_}, {run_->identities[fellow.value], run_->nonces[fellow.value]},
                               run_->run, self_ < fellow);
    if (!pair) return at(fmt::format("agent {}", fellow.value), std::move(pair).error());
    peer.masks.push_back(*std::move(pair));
  }
  return {};
}

crypto::RandomFactors PaillierCipher::draw_for_query(Round round) const {
  Stream randomness(factors_, kQueryStream, 0, round.number());
  return encryptor_->draw(plaintexts_, randomness, executor_);
}

crypto::RandomFactors PaillierCipher::draw_for_reply(Round round, AgentId asker) const {
  Stream randomness(factors_, kReplyStream, asker.value, round.number());
  return peers_.at(asker).encryptor->draw(plaintexts_, randomness, executor_);
}

bool PaillierCipher::prepare_query(Round round) {
  if (!encryptor_ || (prepared_ && prepared_->round == round)) return false;
  prepared_.emplace(Prepared{round, draw_for_query(round)});
  return true;
}

bool PaillierCipher::prepare_reply(Round round, AgentId asker) {
  Peer& peer = peers_.at(asker);
  if (!peer.encryptor || (peer.prepared && peer.prepared->round == round)) return false;
  peer.prepared.emplace(Prepared{round, draw_for_reply(round, asker)});
  return true;
}

Result<Bytes> PaillierCipher::make_query(Round round, std::span<const std::int64_t> minus_u) {
  PPDNMF_TRY(const crypto::Plaintexts plaintexts, packing_.pack(minus_u, key_->public_key()));
  auto prepared = std::exchange(prepared_, std::nullopt);
  crypto::RandomFactors factors =
      prepared && prepared->round == round ? std::move(prepared->factors) : draw_for_query(round);
  PPDNMF_TRY(const crypto::SendableCiphertexts query, encryptor_->encrypt(plaintexts, std::move(factors), executor_));
  return query.bytes();
}

Result<Bytes> PaillierCipher::make_reply(Round round, AgentId asker, ByteSpan query, const ReplyTerms& terms) {
  Peer& peer = peers_.at(asker);
  const crypto::PublicKey& key = peer.encryptor->key();
  PPDNMF_TRY(const crypto::Ciphertexts question, decode(key, asker, query));
  PPDNMF_TRY(const crypto::Weight weight,
             crypto::Weight::create(static_cast<std::uint64_t>(terms.weight),
                                    static_cast<std::size_t>(run_->settings.multiplier_bits())));
  auto prepared = std::exchange(peer.prepared, std::nullopt);
  crypto::RandomFactors factors =
      prepared && prepared->round == round ? std::move(prepared->factors) : draw_for_reply(round, asker);
  if (!hardened()) {
    PPDNMF_TRY(const crypto::Plaintexts own, packing_.pack(terms.u, key));
    PPDNMF_TRY(const crypto::AsPrintedCiphertexts reply,
               peer.encryptor->as_printed_reply(question, weight, own, std::move(factors), executor_));
    return reply.bytes_that_are_not_private();
  }
  std::vector<std::int64_t> addend(terms.u.begin(), terms.u.end());
  for (std::size_t t = 0; t < addend.size(); ++t) {
    addend[t] = terms.weight * addend[t] + (terms.blinding.empty() ? 0 : terms.blinding[t]);
  }
  PPDNMF_TRY(crypto::Plaintexts plaintexts, packing_.pack(addend, key));
  for (const crypto::PairKey& mask : peer.masks) mask.apply(plaintexts, {asker.value, round.iteration, round.admm});
  PPDNMF_TRY(const crypto::SendableCiphertexts reply,
             peer.encryptor->reply(question, weight, plaintexts, std::move(factors), executor_));
  return reply.bytes();
}

Result<std::vector<std::int64_t>> PaillierCipher::open(Round /*round*/, std::span<const ReceivedReply> replies) {
  const std::size_t entries = run_->settings.entries();
  if (replies.empty()) return std::vector<std::int64_t>(entries);
  std::vector<crypto::Ciphertexts> terms;
  for (const ReceivedReply& reply : replies) {
    PPDNMF_TRY(crypto::Ciphertexts ciphertexts, decode(key_->public_key(), reply.from, reply.payload));
    terms.push_back(std::move(ciphertexts));
  }
  PPDNMF_TRY(const crypto::Ciphertexts total, crypto::sum(terms, executor_));
  PPDNMF_TRY(const crypto::Plaintexts sums, crypto::decrypt(*key_, total, executor_));
  return packing_.unpack(sums, entries);
}

Result<crypto::Ciphertexts> PaillierCipher::decode(const crypto::PublicKey& key, AgentId from, ByteSpan payload) const {
  auto ciphertexts = crypto::Ciphertexts::decode(key, payload, plaintexts_, executor_);
  if (!ciphertexts) return at(fmt::format("agent {}", from.value), std::move(ciphertexts).error());
  return ciphertexts;
}

}  // namespace ppdnmf::protocol::neighbours
