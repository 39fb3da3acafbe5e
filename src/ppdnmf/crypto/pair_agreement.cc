#include <ppdnmf/crypto/pair_agreement.h>

#include <algorithm>
#include <utility>

#include <ppdnmf/crypto/internal/agreement.h>

namespace ppdnmf::crypto {

IdentityKey IdentityKey::generate(Stream& stream) {
  SecretBytes secret(32);
  stream.fill(secret.span());
  return from_secret_bytes(std::span<const std::uint8_t, 32>(secret.data(), 32));
}

IdentityKey IdentityKey::from_secret_bytes(std::span<const std::uint8_t, 32> bytes) {
  IdentityKey key;
  key.secret_ = SecretBytes(32);
  std::copy(bytes.begin(), bytes.end(), key.secret_.data());
  key.public_ = internal::x25519_public(key.secret_.span());
  return key;
}

Result<Seed> agree_on_seed(std::string_view label, const OwnKeys& own, const PeerKeys& peer, ByteSpan run, bool first) {
  PPDNMF_CHECK(!run.empty());
  const IdentityBytes& identity = own.identity.public_bytes();
  const IdentityBytes& ephemeral = own.ephemeral.public_bytes();
  if (peer.identity == identity) return error(ErrorCode::kPeer, "it has this agent's own identity");
  if (peer.ephemeral == ephemeral) return error(ErrorCode::kPeer, "it sent this agent's own nonce");
  auto lasting = internal::x25519(own.identity.reveal_secret_bytes(), identity, peer.identity);
  if (!lasting) return at("its identity", std::move(lasting).error());
  auto fresh = internal::x25519(own.ephemeral.reveal_secret_bytes(), ephemeral, peer.ephemeral);
  if (!fresh) return at("its nonce", std::move(fresh).error());
  SecretBytes both(lasting->size() + fresh->size());
  std::copy_n(lasting->data(), lasting->size(), both.data());
  std::copy_n(fresh->data(), fresh->size(), both.data() + lasting->size());
  Bytes info(label.begin(), label.end());
  for (const IdentityBytes* bytes : {first ? &identity : &peer.identity, first ? &peer.identity : &identity,
                                     first ? &ephemeral : &peer.ephemeral, first ? &peer.ephemeral : &ephemeral}) {
    info.insert(info.end(), bytes->begin(), bytes->end());
  }
  const SecretBytes key = internal::hkdf(both.span(), run, info);
  return Seed::from_bytes(std::span<const std::uint8_t, Seed::kBytes>(key.data(), Seed::kBytes));
}

}  // namespace ppdnmf::crypto
