// An identity key has one owner.
#include <ppdnmf/crypto/mask.h>

ppdnmf::crypto::IdentityKey take(ppdnmf::crypto::IdentityKey key) {
#ifdef PPDNMF_MISUSE
  ppdnmf::crypto::IdentityKey copy(key);
  return copy;
#else
  return key;
#endif
}
