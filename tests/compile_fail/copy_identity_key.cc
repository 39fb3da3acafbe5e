// An identity key has one owner.
#include "crypto/mask.h"

ppdnmf::IdentityKey take(ppdnmf::IdentityKey key) {
#ifdef PPDNMF_MISUSE
  ppdnmf::IdentityKey copy(key);
  return copy;
#else
  return key;
#endif
}
