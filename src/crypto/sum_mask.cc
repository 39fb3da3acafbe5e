#include "crypto/sum_mask.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "crypto/internal/agreement.h"

namespace ppdnmf {
namespace {

constexpr std::uint8_t kSumMaskPurpose = 0x73;
constexpr std::string_view kKeyLabel = "ppdnmf masked sum 1";
constexpr std::string_view kMaskLabel = "ppdnmf masked sum 1 words";

void append(Bytes& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); }

Seed as_seed(const SecretBytes& bytes) {
  return Seed::from_bytes(std::span<const std::uint8_t, Seed::kBytes>(bytes.data(), Seed::kBytes));
}

}  // namespace

Result<SumPairKey> SumPairKey::agree(const Side& own, const Peer& peer, const Digest& run, bool first) {
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
  Bytes info(kKeyLabel.begin(), kKeyLabel.end());
  for (const IdentityBytes* bytes : {first ? &identity : &peer.identity, first ? &peer.identity : &identity,
                                     first ? &ephemeral : &peer.ephemeral, first ? &peer.ephemeral : &ephemeral}) {
    append(info, *bytes);
  }
  return SumPairKey(as_seed(internal::hkdf(both.span(), run, info)), first);
}

void SumPairKey::apply(std::span<UInt128> words, const Digest& chain) const {
  Bytes info(kMaskLabel.begin(), kMaskLabel.end());
  append(info, chain);
  Stream stream(as_seed(internal::hkdf_expand(seed_.reveal_secret_bytes(), info)), kSumMaskPurpose);
  SecretArray<std::uint64_t> mask(2 * std::min<std::size_t>(words.size(), 256));
  while (!words.empty()) {
    const std::span<UInt128> block = words.first(std::min(words.size(), mask.size() / 2));
    stream.fill({reinterpret_cast<std::uint8_t*>(mask.data()), block.size_bytes()});
    for (std::size_t t = 0; t < block.size(); ++t) {
      const UInt128 word = (UInt128{mask.data()[2 * t + 1]} << 64) | mask.data()[2 * t];
      block[t] = adds_ ? block[t] + word : block[t] - word;
    }
    words = words.subspan(block.size());
  }
}

}  // namespace ppdnmf
