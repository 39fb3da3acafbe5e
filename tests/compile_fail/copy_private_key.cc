// A private key has one owner.
#include <ppdnmf/crypto/key.h>

ppdnmf::crypto::PrivateKey take(ppdnmf::crypto::PrivateKey key) {
#ifdef PPDNMF_MISUSE
  ppdnmf::crypto::PrivateKey copy = key;
  return copy;
#else
  return key;
#endif
}
