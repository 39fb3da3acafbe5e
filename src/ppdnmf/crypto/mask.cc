#include <ppdnmf/crypto/mask.h>

#include <string_view>

#include <ppdnmf/crypto/internal/key_data.h>

namespace ppdnmf::crypto {
namespace {

constexpr std::uint8_t kMaskPurpose = 0x6d;
constexpr std::string_view kLabel = "ppdnmf pairwise mask 2";

}  // namespace

Result<PairKey> PairKey::agree(const OwnKeys& own, const PeerKeys& peer, ByteSpan run, bool first) {
  PPDNMF_TRY(Seed seed, agree_on_seed(kLabel, own, peer, run, first));
  return PairKey(std::move(seed), first);
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

}  // namespace ppdnmf::crypto
