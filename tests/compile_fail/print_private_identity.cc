// A private identity cannot be printed; its public part has a fingerprint for that.
#include <iostream>

#include "identity/private_identity.h"

void show(const ppdnmf::PrivateIdentity& identity) {
#ifdef PPDNMF_MISUSE
  std::cout << identity;
#else
  std::cout << identity.public_identity().name();
#endif
}
