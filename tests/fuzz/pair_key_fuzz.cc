// PairKey::agree on arbitrary identities, nonces and runs.
#include <algorithm>

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/mask.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  static const auto key = [](std::uint64_t seed) {
    Stream stream(Seed::from_number(seed), 1);
    return crypto::IdentityKey::generate(stream);
  };
  static const crypto::IdentityKey kOwn = key(1);
  static const crypto::IdentityKey kEphemeral = key(2);
  if (size <= 64) return 0;
  crypto::PeerKeys peer{};
  std::copy_n(data, 32, peer.identity.begin());
  std::copy_n(data + 32, 32, peer.ephemeral.begin());
  const auto agreed = crypto::PairKey::agree({kOwn, kEphemeral}, peer, {data + 64, size - 64}, true);
  PPDNMF_CHECK(agreed.has_value() || !agreed.error().message.empty());
  return 0;
}
