// A private identity has one owner.
#include "identity/private_identity.h"

ppdnmf::PrivateIdentity take(ppdnmf::PrivateIdentity identity) {
#ifdef PPDNMF_MISUSE
  ppdnmf::PrivateIdentity copy(identity);
  return copy;
#else
  return identity;
#endif
}
