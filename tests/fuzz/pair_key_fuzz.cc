// PairKey::agree on arbitrary identities, runs and nonces.
#include <algorithm>

#include "base/result.h"
#include "crypto/mask.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  static const IdentityKey kOwn = [] {
    Stream stream(Seed::from_number(1), 1);
    return IdentityKey::generate(stream);
  }();
  if (size < 64) return 0;
  IdentityBytes peer{};
  Nonce nonce{};
  std::copy_n(data, 32, peer.begin());
  std::copy_n(data + 32, 32, nonce.begin());
  const auto key = PairKey::agree(kOwn, peer, {data + 64, size - 64}, nonce, Nonce{});
  PPDNMF_CHECK(key.has_value() || !key.error().message.empty());
  return 0;
}
