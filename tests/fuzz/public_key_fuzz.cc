// PublicKey::decode on arbitrary bytes; whatever it accepts must encode to the same bytes again. The first byte chooses
// the profile, the second whether the header is made right, so that the arithmetic behind it is reached.
#include "fuzz_keys.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  if (size < 2) return 0;
  const bool fast = (data[0] & 1) != 0;
  const crypto::KeyOptions options = fuzz_key_options(fast);
  Bytes bytes(data + 2, data + size);
  if ((data[1] & 1) != 0) {
    bytes.resize(4 + (fast ? 128 : 64));
    bytes[0] = 1;
    bytes[1] = fast ? 2 : 1;
    bytes[2] = 0;
    bytes[3] = 2;
    if ((data[1] & 2) != 0) {
      bytes[4] |= 1;
      bytes[67] |= 0x80;
    }
  }
  const auto key = crypto::PublicKey::decode(bytes, options);
  PPDNMF_CHECK(!key || key->encode() == bytes);
  PPDNMF_CHECK(key || !key.error().message.empty());
  return 0;
}
