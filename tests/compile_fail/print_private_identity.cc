// A private identity cannot be printed; its public part has a fingerprint for that.
#include <iostream>

#include <ppdnmf/identity/private_identity.h>

void show(const ppdnmf::identity::PrivateIdentity& identity) {
#ifdef PPDNMF_MISUSE
  std::cout << identity;
#else
  std::cout << identity.public_identity().name();
#endif
}
