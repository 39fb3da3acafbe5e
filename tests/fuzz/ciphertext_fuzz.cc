// Ciphertexts::decode on arbitrary bytes and counts; whatever it accepts must decrypt (standard profile).
#include <algorithm>

#include "fuzz_keys.h"
#include <ppdnmf/crypto/paillier.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  if (size < 2) return 0;
  SerialExecutor one;
  const std::size_t each = fuzz_key().public_key().ciphertext_bytes();
  Bytes bytes(data + 2, data + size);
  std::size_t count = data[0];
  if ((data[1] & 1) != 0) {  // make the length fit
    count = std::min<std::size_t>(count, 9);
    bytes.resize(count * each);
  } else if ((data[1] & 2) != 0) {
    count = ~std::size_t{0} / each + data[0];  // a product of sizes that wraps
  }
  const auto decoded = crypto::Ciphertexts::decode(fuzz_key().public_key(), bytes, count, one);
  if (decoded) {
    PPDNMF_CHECK(decoded->size() == count);
    PPDNMF_CHECK(crypto::decrypt(fuzz_key(), *decoded, one).value().size() == count);
  }
  return 0;
}
