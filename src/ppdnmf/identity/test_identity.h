// Helpers for this folder's tests and for rooms that need members.
#ifndef PPDNMF_IDENTITY_TEST_IDENTITY_H_
#define PPDNMF_IDENTITY_TEST_IDENTITY_H_

#include <chrono>
#include <cstring>
#include <string_view>

#include <ppdnmf/identity/private_identity.h>

namespace ppdnmf::identity {

inline constexpr std::chrono::sys_seconds kTestTime{std::chrono::sys_days{std::chrono::year{2026} / 3 / 15} +
                                                    std::chrono::hours{13}};

// For handshakes, which look at the machine's clock.
inline std::chrono::sys_seconds test_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

inline PrivateIdentity test_identity(std::string_view name, std::chrono::sys_seconds now = kTestTime) {
  return PrivateIdentity::generate(name, now).value();
}

inline Passphrase test_passphrase(std::string_view text) {
  Passphrase out{crypto::SecretBytes(text.size())};
  std::memcpy(out.bytes.data(), text.data(), text.size());
  return out;
}

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_TEST_IDENTITY_H_
