#include "crypto/mask.h"

#include <algorithm>
#include <string_view>

#include "crypto/internal/agreement.h"
#include "crypto/internal/key_data.h"

namespace ppdnmf {
namespace {

constexpr std::uint8_t kMaskPurpose = 0x6d;
constexpr std::string_view kLabel = "ppdnmf pairwise mask 1";

}  // namespace

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

Result<PairKey> PairKey::agree(const IdentityKey& own, const IdentityBytes& peer, ByteSpan run, const Nonce& own_nonce,
                               const Nonce& peer_nonce) {
  if (peer == own.public_bytes()) return error(ErrorCode::kPeer, "a neighbour has this agent's own identity");
  auto shared = internal::x25519(own.reveal_secret_bytes(), own.public_bytes(), peer);
  if (!shared) return at("a neighbour's identity", std::move(shared).error());
  const bool first = own.public_bytes() < peer;
  Bytes salt;
  Bytes info(kLabel.begin(), kLabel.end());
  const auto append = [](Bytes& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(salt, first ? own_nonce : peer_nonce);
  append(salt, first ? peer_nonce : own_nonce);
  append(info, first ? own.public_bytes() : peer);
  append(info, first ? peer : own.public_bytes());
  append(info, run);
  const SecretBytes key = internal::hkdf(shared->span(), salt, info);
  return PairKey(Seed::from_bytes(std::span<const std::uint8_t, Seed::kBytes>(key.data(), Seed::kBytes)), first);
}

void PairKey::apply(Plaintexts& addend, const MaskName& name) const {
  const internal::Integer& n = addend.key().data().n;
  const std::size_t words = addend.key().plaintext_words();
  Stream stream(seed_, kMaskPurpose, name.asker, (std::uint64_t{name.outer} << 32) | name.iteration);
  SecretWords mask(words);
  for (std::size_t t = 0; t < addend.size(); ++t) {
    // n has its top bit set, so at most every second draw is rejected; rejected draws say nothing about the mask.
    do {
      stream.fill({reinterpret_cast<std::uint8_t*>(mask.data()), words * sizeof(std::uint64_t)});
    } while (mpn_cmp(internal::limbs(mask.data()), mpz_limbs_read(n.raw()), static_cast<mp_size_t>(words)) >= 0);
    PPDNMF_CHECK((adds_ ? addend.add(t, mask.span()) : addend.subtract(t, mask.span())).has_value());
  }
}

}  // namespace ppdnmf
