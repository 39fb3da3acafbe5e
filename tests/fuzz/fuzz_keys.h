// Small keys for fuzz targets.
#ifndef PPDNMF_TESTS_FUZZ_FUZZ_KEYS_H_
#define PPDNMF_TESTS_FUZZ_FUZZ_KEYS_H_

#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/key.h>

namespace ppdnmf {

inline crypto::KeyOptions fuzz_key_options(bool fast) {
  return {.bits = 512,
          .profile = fast ? crypto::KeyProfile::kFast : crypto::KeyProfile::kStandard,
          .test_only = true,
          .kernel = crypto::Kernel::kGmp};
}

// Always the same one, of the standard profile.
inline const crypto::PrivateKey& fuzz_key() {
  static const crypto::PrivateKey key = [] {
    Stream stream(Seed::from_number(1), 1);
    return crypto::PrivateKey::generate(fuzz_key_options(false), stream).value();
  }();
  return key;
}

}  // namespace ppdnmf

#endif  // PPDNMF_TESTS_FUZZ_FUZZ_KEYS_H_
