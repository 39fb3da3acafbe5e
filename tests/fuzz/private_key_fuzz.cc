// PrivateKey::decode_secret on arbitrary bytes, some of them a good key with a few bytes changed.
#include <algorithm>

#include "fuzz_keys.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  if (size < 2) return 0;
  const bool fast = (data[0] & 1) != 0;
  const crypto::KeyOptions options = fuzz_key_options(fast);
  Bytes bytes(data + 2, data + size);
  if ((data[0] & 2) != 0) {
    static const auto kGood = [](crypto::KeyOptions wanted, crypto::KeyProfile profile) {
      wanted.profile = profile;
      Stream stream(Seed::from_number(1), 1);
      const crypto::SecretBytes encoded = crypto::PrivateKey::generate(wanted, stream).value().encode_secret();
      return Bytes(encoded.span().begin(), encoded.span().end());
    };
    static const Bytes kStandard = kGood(options, crypto::KeyProfile::kStandard);
    static const Bytes kFast = kGood(options, crypto::KeyProfile::kFast);
    Bytes changed = fast ? kFast : kStandard;
    // Pairs (position, change).
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) changed[bytes[i] % changed.size()] ^= bytes[i + 1];
    bytes = std::move(changed);
  }
  const auto key = crypto::PrivateKey::decode_secret(bytes, options);
  if (key) {
    const crypto::SecretBytes again = key->encode_secret();
    PPDNMF_CHECK(std::equal(bytes.begin(), bytes.end(), again.span().begin(), again.span().end()));
  }
  return 0;
}
