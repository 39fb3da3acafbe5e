// Packing::unpack on arbitrary residues (what a dishonest neighbourhood can make an agent decrypt); whatever it accepts
// must pack to the same residue again.
#include <algorithm>
#include <array>
#include <cstring>

#include "fuzz_keys.h"
#include <ppdnmf/crypto/packing.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppdnmf;
  if (size < 2) return 0;
  const crypto::PublicKey& key = fuzz_key().public_key();
  const auto packing = crypto::Packing::create(512, data[0] % 66);
  if (!packing) return 0;
  const Bytes bytes(data + 2, data + size);
  crypto::Plaintexts plaintexts(key, 1);
  // A residue below n, near 0 or near n: up to 63 of its 64 bytes, added or subtracted.
  std::array<std::uint64_t, 8> words{};
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), std::min<std::size_t>(bytes.size(), 63));
  PPDNMF_CHECK(((data[1] & 1) != 0 ? plaintexts.subtract(0, words) : plaintexts.add(0, words)).has_value());
  const auto entries = packing->unpack(plaintexts, packing->slots());
  if (entries) {
    const auto again = packing->pack(*entries, key);
    PPDNMF_CHECK(again.has_value() && std::ranges::equal(again->residue(0), plaintexts.residue(0)));
  }
  return 0;
}
