// A private identity has one owner.
#include <ppdnmf/identity/private_identity.h>

ppdnmf::identity::PrivateIdentity take(ppdnmf::identity::PrivateIdentity identity) {
#ifdef PPDNMF_MISUSE
  ppdnmf::identity::PrivateIdentity copy(identity);
  return copy;
#else
  return identity;
#endif
}
