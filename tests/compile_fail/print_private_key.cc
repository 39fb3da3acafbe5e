// A private key cannot be printed; its public key can be encoded.
#include <iostream>

#include <ppdnmf/crypto/key.h>

void show(const ppdnmf::crypto::PrivateKey& key) {
#ifdef PPDNMF_MISUSE
  std::cout << key;
#else
  std::cout << key.public_key().encode().size();
#endif
}
