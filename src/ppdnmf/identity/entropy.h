// Bytes that nobody else knows, from the operating system. The only file of the libraries that asks for them; OpenSSL's
// own generator, which makes TLS keys and signatures, is seeded from the same place.
#ifndef PPDNMF_IDENTITY_ENTROPY_H_
#define PPDNMF_IDENTITY_ENTROPY_H_

#include <cstddef>

#include <ppdnmf/base/random.h>
#include <ppdnmf/crypto/secret.h>

namespace ppdnmf::identity {

// Waits, early after boot, until the system has collected enough. Safe to call from several threads.
[[nodiscard]] crypto::SecretBytes draw_entropy(std::size_t size);
[[nodiscard]] Seed draw_seed();

}  // namespace ppdnmf::identity

#endif  // PPDNMF_IDENTITY_ENTROPY_H_
