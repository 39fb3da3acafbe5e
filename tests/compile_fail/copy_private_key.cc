// A private key has one owner.
#include "crypto/key.h"

ppdnmf::PrivateKey take(ppdnmf::PrivateKey key) {
#ifdef PPDNMF_MISUSE
  ppdnmf::PrivateKey copy = key;
  return copy;
#else
  return key;
#endif
}
