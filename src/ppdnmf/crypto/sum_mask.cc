#include <ppdnmf/crypto/sum_mask.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include <ppdnmf/crypto/internal/agreement.h>

namespace ppdnmf::crypto {
namespace {

constexpr std::uint8_t kSumMaskPurpose = 0x73;
constexpr std::string_view kKeyLabel = "ppdnmf masked sum 1";
constexpr std::string_view kMaskLabel = "ppdnmf masked sum 1 words";

Seed as_seed(const SecretBytes& bytes) {
  return Seed::from_bytes(std::span<const std::uint8_t, Seed::kBytes>(bytes.data(), Seed::kBytes));
}

}  // namespace

Result<SumPairKey> SumPairKey::agree(const OwnKeys& own, const PeerKeys& peer, const Digest& run, bool first) {
  PPDNMF_TRY(Seed seed, agree_on_seed(kKeyLabel, own, peer, run, first));
  return SumPairKey(std::move(seed), first);
}

void SumPairKey::apply(std::span<UInt128> words, const Digest& chain) const {
  for (std::uint64_t number = 0; !words.empty(); ++number) {
    const std::span<UInt128> part = words.first(std::min(words.size(), kMaskPart));
    apply_to_part(part, number, chain);
    words = words.subspan(part.size());
  }
}

void SumPairKey::apply_to_part(std::span<UInt128> part, std::uint64_t number, const Digest& chain) const {
  PPDNMF_CHECK(part.size() <= kMaskPart);
  Bytes info(kMaskLabel.begin(), kMaskLabel.end());
  info.insert(info.end(), chain.begin(), chain.end());
  Stream stream(as_seed(internal::hkdf_expand(seed_.reveal_secret_bytes(), info)), kSumMaskPurpose, 0, number);
  SecretArray<std::uint64_t> mask(2 * std::min<std::size_t>(part.size(), 256));
  while (!part.empty()) {
    const std::span<UInt128> block = part.first(std::min(part.size(), mask.size() / 2));
    stream.fill({reinterpret_cast<std::uint8_t*>(mask.data()), block.size_bytes()});
    for (std::size_t t = 0; t < block.size(); ++t) {
      const UInt128 word = (UInt128{mask.data()[2 * t + 1]} << 64) | mask.data()[2 * t];
      block[t] = adds_ ? block[t] + word : block[t] - word;
    }
    part = part.subspan(block.size());
  }
}

}  // namespace ppdnmf::crypto
