#include "protocol/paillier_cipher.h"

#include <algorithm>
#include <utility>

#include "protocol/purposes.h"

namespace ppdnmf {

Status validate(const PaillierRun& run) {
  PPDNMF_TRY_STATUS(check(run.keys));
  PPDNMF_TRY_STATUS(validate(run.settings));
  PPDNMF_CHECK(run.identities.size() == run.graph.agents());
  return Packing::create(run.keys.bits, static_cast<std::size_t>(run.settings.sum_bits())).map([](const Packing&) {});
}

PaillierCipher::PaillierCipher(std::shared_ptr<const PaillierRun> run, AgentId self, const Seed& secret,
                               IdentityKey identity, Executor& executor)
    : run_(std::move(run)),
      self_(self),
      secret_(Seed::from_bytes(secret.reveal_secret_bytes())),
      identity_(std::move(identity)),
      executor_(executor),
      packing_(*Packing::create(run_->keys.bits, static_cast<std::size_t>(run_->settings.sum_bits()))),
      plaintexts_(packing_.plaintexts_for(run_->settings.entries())) {
  Stream(secret_, kNonceStream).fill(nonce_);
  for (const AgentId neighbour : run_->graph.neighbours(self)) peers_.try_emplace(neighbour);
}

void PaillierCipher::make_key() {
  Stream primes(secret_, kKeyStream);
  auto key = PrivateKey::generate(run_->keys, primes);
  PPDNMF_CHECK(key.has_value());  // the options were validated
  key_ = *std::move(key);
  Stream base(secret_, kOwnBaseStream);
  encryptor_.emplace(*key_, base);
}

// Stage 0: public key, nonce. Stage 1: the nonces of the own neighbours but `to`, in rising order of agents.
Bytes PaillierCipher::greeting(std::uint32_t stage, AgentId to) {
  if (stage == 0) {
    if (!key_) make_key();
    Bytes payload = key_->public_key().encode();
    payload.insert(payload.end(), nonce_.begin(), nonce_.end());
    return payload;
  }
  Bytes payload;
  for (const auto& [neighbour, peer] : peers_) {
    if (neighbour != to) payload.insert(payload.end(), peer.nonce.begin(), peer.nonce.end());
  }
  return payload;
}

Status PaillierCipher::accept_greeting(std::uint32_t stage, AgentId from, ByteSpan payload) {
  const auto found = peers_.find(from);
  PPDNMF_CHECK(found != peers_.end());
  auto accepted = stage == 0 ? accept_key(found->second, from, payload) : accept_nonces(found->second, from, payload);
  if (!accepted) return at(fmt::format("agent {}", from.value), std::move(accepted).error());
  return {};
}

Status PaillierCipher::accept_key(Peer& peer, AgentId from, ByteSpan payload) {
  if (payload.size() < peer.nonce.size()) return error(ErrorCode::kPeer, "it sent a greeting that is too short");
  const std::size_t key_size = payload.size() - peer.nonce.size();
  PPDNMF_TRY(const PublicKey key, PublicKey::decode(payload.first(key_size), run_->keys));
  if (key_ && key.same_as(key_->public_key())) return error(ErrorCode::kPeer, "it sent this agent's own key");
  std::copy_n(payload.begin() + static_cast<std::ptrdiff_t>(key_size), peer.nonce.size(), peer.nonce.begin());
  Stream base(secret_, kPeerBaseStream, from.value);
  peer.encryptor.emplace(key, base);
  return {};
}

Status PaillierCipher::accept_nonces(Peer& peer, AgentId from, ByteSpan payload) {
  const std::vector<AgentId>& fellows = run_->graph.neighbours(from);
  if (payload.size() != (fellows.size() - 1) * sizeof(Nonce)) {
    return error(ErrorCode::kPeer, "it passed on {} bytes of nonces where its {} other neighbours have {} each",
                 payload.size(), fellows.size() - 1, sizeof(Nonce));
  }
  peer.masks.clear();
  for (const AgentId fellow : fellows) {
    if (fellow == self_) continue;
    Nonce theirs{};
    std::copy_n(payload.begin(), theirs.size(), theirs.begin());
    payload = payload.subspan(theirs.size());
    PPDNMF_TRY(PairKey pair, PairKey::agree(identity_, run_->identities[fellow.value], run_->run, nonce_, theirs));
    peer.masks.push_back(std::move(pair));
  }
  return {};
}

RandomFactors PaillierCipher::draw_for_query(Round round) const {
  Stream randomness(secret_, kQueryStream, 0, round.number());
  return encryptor_->draw(plaintexts_, randomness, executor_);
}

RandomFactors PaillierCipher::draw_for_reply(Round round, AgentId asker) const {
  Stream randomness(secret_, kReplyStream, asker.value, round.number());
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
  PPDNMF_TRY(const Plaintexts plaintexts, packing_.pack(minus_u, key_->public_key()));
  auto prepared = std::exchange(prepared_, std::nullopt);
  RandomFactors factors = prepared && prepared->round == round ? std::move(prepared->factors) : draw_for_query(round);
  PPDNMF_TRY(const SendableCiphertexts query, encryptor_->encrypt(plaintexts, std::move(factors), executor_));
  return query.bytes();
}

Result<Bytes> PaillierCipher::make_reply(Round round, AgentId asker, ByteSpan query, const ReplyTerms& terms) {
  Peer& peer = peers_.at(asker);
  const PublicKey& key = peer.encryptor->key();
  PPDNMF_TRY(const Ciphertexts question, decode(key, asker, query));
  PPDNMF_TRY(const Weight weight, Weight::create(static_cast<std::uint64_t>(terms.weight),
                                                 static_cast<std::size_t>(run_->settings.multiplier_bits())));
  auto prepared = std::exchange(peer.prepared, std::nullopt);
  RandomFactors factors =
      prepared && prepared->round == round ? std::move(prepared->factors) : draw_for_reply(round, asker);
  if (!hardened()) {
    PPDNMF_TRY(const Plaintexts own, packing_.pack(terms.u, key));
    PPDNMF_TRY(const AsPrintedCiphertexts reply,
               peer.encryptor->as_printed_reply(question, weight, own, std::move(factors), executor_));
    return reply.bytes_that_are_not_private();
  }
  std::vector<std::int64_t> addend(terms.u.begin(), terms.u.end());
  for (std::size_t t = 0; t < addend.size(); ++t) {
    addend[t] = terms.weight * addend[t] + (terms.blinding.empty() ? 0 : terms.blinding[t]);
  }
  PPDNMF_TRY(Plaintexts plaintexts, packing_.pack(addend, key));
  for (const PairKey& mask : peer.masks) mask.apply(plaintexts, {asker.value, round.bcd, round.admm});
  PPDNMF_TRY(const SendableCiphertexts reply,
             peer.encryptor->reply(question, weight, plaintexts, std::move(factors), executor_));
  return reply.bytes();
}

Result<std::vector<std::int64_t>> PaillierCipher::open(Round /*round*/, std::span<const ReceivedReply> replies) {
  const std::size_t entries = run_->settings.entries();
  if (replies.empty()) return std::vector<std::int64_t>(entries);
  std::vector<Ciphertexts> terms;
  for (const ReceivedReply& reply : replies) {
    PPDNMF_TRY(Ciphertexts ciphertexts, decode(key_->public_key(), reply.from, reply.payload));
    terms.push_back(std::move(ciphertexts));
  }
  PPDNMF_TRY(const Ciphertexts total, sum(terms, executor_));
  PPDNMF_TRY(const Plaintexts sums, decrypt(*key_, total, executor_));
  return packing_.unpack(sums, entries);
}

Result<Ciphertexts> PaillierCipher::decode(const PublicKey& key, AgentId from, ByteSpan payload) const {
  auto ciphertexts = Ciphertexts::decode(key, payload, plaintexts_, executor_);
  if (!ciphertexts) return at(fmt::format("agent {}", from.value), std::move(ciphertexts).error());
  return ciphertexts;
}

}  // namespace ppdnmf
