#include "crypto/mask.h"

#include <openssl/evp.h>
#include <openssl/kdf.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "crypto/internal/key_data.h"

namespace ppdnmf {
namespace {

constexpr std::uint8_t kMaskPurpose = 0x6d;
constexpr std::string_view kLabel = "ppdnmf pairwise mask 1";

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using Context = std::unique_ptr<EVP_PKEY_CTX, Free>;

Key private_key(std::span<const std::uint8_t> secret) {
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret.data(), secret.size()));
  PPDNMF_CHECK(key != nullptr);
  return key;
}

// HKDF-SHA256 (RFC 5869) of `secret` into 32 bytes.
SecretBytes hkdf(const SecretBytes& secret, ByteSpan salt, ByteSpan info) {
  const Context context(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr));
  SecretBytes out(Seed::kBytes);
  std::size_t size = out.size();
  PPDNMF_CHECK(context != nullptr && EVP_PKEY_derive_init(context.get()) == 1 &&
               EVP_PKEY_CTX_set_hkdf_md(context.get(), EVP_sha256()) == 1 &&
               EVP_PKEY_CTX_set1_hkdf_salt(context.get(), salt.data(), static_cast<int>(salt.size())) == 1 &&
               EVP_PKEY_CTX_set1_hkdf_key(context.get(), secret.data(), static_cast<int>(secret.size())) == 1 &&
               EVP_PKEY_CTX_add1_hkdf_info(context.get(), info.data(), static_cast<int>(info.size())) == 1 &&
               EVP_PKEY_derive(context.get(), out.data(), &size) == 1 && size == Seed::kBytes);
  return out;
}

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
  std::size_t size = key.public_.size();
  PPDNMF_CHECK(EVP_PKEY_get_raw_public_key(private_key(key.secret_.span()).get(), key.public_.data(), &size) == 1 &&
               size == key.public_.size());
  return key;
}

Result<PairKey> PairKey::agree(const IdentityKey& own, const IdentityBytes& peer, ByteSpan run, const Nonce& own_nonce,
                               const Nonce& peer_nonce) {
  if (peer == own.public_bytes()) return error(ErrorCode::kPeer, "a neighbour has this agent's own identity");
  const Key mine = private_key(own.reveal_secret_bytes());
  const Key theirs(EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, peer.data(), peer.size()));
  const Context context(EVP_PKEY_CTX_new(mine.get(), nullptr));
  SecretBytes shared(32);
  std::size_t size = shared.size();
  // OpenSSL refuses a shared secret of zeros, which is what points of small order give.
  if (theirs == nullptr || context == nullptr || EVP_PKEY_derive_init(context.get()) != 1 ||
      EVP_PKEY_derive_set_peer(context.get(), theirs.get()) != 1 ||
      EVP_PKEY_derive(context.get(), shared.data(), &size) != 1 || size != shared.size()) {
    return error(ErrorCode::kPeer, "a neighbour's identity is not a usable X25519 key");
  }
  const bool first = own.public_bytes() < peer;
  Bytes salt;
  Bytes info(kLabel.begin(), kLabel.end());
  const auto append = [](Bytes& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(salt, first ? own_nonce : peer_nonce);
  append(salt, first ? peer_nonce : own_nonce);
  append(info, first ? own.public_bytes() : peer);
  append(info, first ? peer : own.public_bytes());
  append(info, run);
  const SecretBytes key = hkdf(shared, salt, info);
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
