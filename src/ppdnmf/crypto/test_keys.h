// Keys for tests: small and made once per program.
#ifndef PPDNMF_CRYPTO_TEST_KEYS_H_
#define PPDNMF_CRYPTO_TEST_KEYS_H_

#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <vector>

#include <ppdnmf/crypto/key.h>

namespace ppdnmf::crypto::testing_keys {

inline KeyOptions options(std::size_t bits, KeyProfile profile, Kernel kernel) {
  return {.bits = bits, .profile = profile, .test_only = true, .kernel = kernel};
}

// Key number `number`; the same primes for every kernel.
inline const PrivateKey& key(std::size_t bits, KeyProfile profile, Kernel kernel, std::uint32_t number = 0) {
  static std::map<std::tuple<std::size_t, KeyProfile, Kernel, std::uint32_t>, PrivateKey> keys;
  const std::tuple name{bits, profile, kernel, number};
  if (const auto found = keys.find(name); found != keys.end()) return found->second;
  Stream stream(Seed::from_number(bits), 1, number, static_cast<std::uint64_t>(profile));
  return keys.emplace(name, PrivateKey::generate(options(bits, profile, kernel), stream).value()).first->second;
}

inline std::vector<Kernel> kernels() {
  std::vector<Kernel> out{Kernel::kGmp};
  if (ifma_available()) out.push_back(Kernel::kIfma);
  return out;
}

}  // namespace ppdnmf::crypto::testing_keys

#endif  // PPDNMF_CRYPTO_TEST_KEYS_H_
